package dev.muster.validation;

import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.ClusterView;
import dev.muster.types.Deletion;
import dev.muster.types.Strategy;
import dev.muster.types.options.DeleteOptions;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A strategy composed of defaults and rules. Like kube-apiserver, it validates the common metadata
 * in addition to the resource's own rules, so an update reports some metadata errors twice.
 */
public final class ResourceRules implements Strategy {
  private final Builder from;
  private final Rule genericCreate;
  private final Rule genericUpdate = Rules.plainMetadataUpdate();

  private ResourceRules(Builder from) {
    this.from = from;
    this.genericCreate = Rules.plainMetadata(from.namespaced, NameRule.PATH_SEGMENT);
  }

  /** Rules of a namespaced resource. */
  public static Builder namespaced() {
    return new Builder(true);
  }

  /** Rules of a cluster-scoped resource. */
  public static Builder cluster() {
    return new Builder(false);
  }

  @Override
  public EmptyFields emptyFields() {
    return from.emptyFields;
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return from.defaults.apply(object);
  }

  @Override
  public String generatedName(String base, RandomGenerator random) {
    return from.wholeNames ? base : Strategy.super.generatedName(base, random);
  }

  @Override
  public JsonObject withRequester(JsonObject object, User user) {
    return from.requester.apply(object, user);
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object) {
    var prepared = object;
    if (from.hasStatus) {
      prepared = prepared.without("status");
    }
    if (from.countsGeneration) {
      prepared = prepared.withAt(Json.of(1), "metadata", "generation");
    }
    return from.onCreate.apply(prepared);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old) {
    var prepared = object;
    if (from.hasStatus) {
      var status = old.get("status");
      prepared = status == null ? prepared.without("status") : prepared.with("status", status);
    }
    prepared = from.onUpdate.apply(prepared, old);
    return from.countsGeneration ? Generation.counted(prepared, old) : prepared;
  }

  @Override
  public void validateAmong(
      JsonObject object, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors) {
    from.among.check(object, old, cluster, errors);
  }

  @Override
  public void validateCreate(JsonObject object, List<FieldError> errors) {
    var place = FieldCursor.of(object, null, errors);
    from.create.check(place);
    if (errors.isEmpty()) {
      genericCreate.check(place);
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    validateUpdate(from.update, FieldCursor.of(object, old, errors), errors);
  }

  @Override
  public void validateUpdateOfValid(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    validateUpdate(from.update, FieldCursor.ofValid(object, old, errors), errors);
  }

  private void validateUpdate(Rule own, FieldCursor object, List<FieldError> errors) {
    genericCreate.check(object);
    var place = errors.isEmpty() ? object.withCleanMetadata() : object;
    genericUpdate.check(place);
    own.check(place);
  }

  @Override
  public JsonObject prepareForStatusUpdate(JsonObject object, JsonObject old) {
    return from.onStatusUpdate.apply(Strategy.super.prepareForStatusUpdate(object, old), old);
  }

  @Override
  public void validateStatusUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    validateUpdate(from.statusUpdate, FieldCursor.of(object, old, errors), errors);
  }

  @Override
  public List<String> earlyWarnings(JsonObject object) {
    return warnings(from.earlyWarnings, object, null);
  }

  @Override
  public List<String> warnings(JsonObject object, @Nullable JsonObject old) {
    return warnings(from.warnings, object, old);
  }

  @Override
  public List<String> statusWarnings(JsonObject object, JsonObject old) {
    return warnings(from.statusWarnings == null ? from.warnings : from.statusWarnings, object, old);
  }

  private static List<String> warnings(Rule rule, JsonObject object, @Nullable JsonObject old) {
    if (rule == Builder.NOTHING) {
      return List.of();
    }
    return WarningTexts.of(found -> rule.check(FieldCursor.forWarnings(object, old, found)));
  }

  @Override
  public boolean createsOnUpdate() {
    return from.createsOnUpdate;
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return from.unconditionalUpdate;
  }

  @Override
  public boolean answersDeleteWithObject() {
    return from.answersDelete;
  }

  @Override
  public String whyKept(String name) {
    return from.kept.apply(name);
  }

  @Override
  public boolean mayHaveDependents() {
    return from.dependents;
  }

  @Override
  public boolean orphansDependents() {
    return from.orphans;
  }

  @Override
  public String orphanWarning() {
    return from.orphanWarning;
  }

  @Override
  public OptionalLong gracePeriod(JsonObject object, OptionalLong requested) {
    return from.grace.of(object, requested);
  }

  @Override
  public Deletion deletion(JsonObject object, DeleteOptions options, Instant now) {
    return from.removal.of(object, options, this, now);
  }

  /** Validates an object against other objects of the cluster; old is null for a create. */
  @FunctionalInterface
  public interface Among {
    void check(
        JsonObject object, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors);
  }

  /** The grace period of an object in seconds. */
  @FunctionalInterface
  public interface Grace {
    OptionalLong of(JsonObject object, OptionalLong requested);
  }

  /** The effect of a delete on an object. */
  @FunctionalInterface
  public interface Removal {
    Deletion of(JsonObject object, DeleteOptions options, Strategy strategy, Instant now);
  }

  /** Collects the rules of a resource. */
  public static final class Builder {
    private static final Rule NOTHING = place -> {};

    private final boolean namespaced;
    private EmptyFields emptyFields = EmptyFields.NONE;
    private Default defaults = Default.NONE;
    private Among among = (object, old, cluster, errors) -> {};
    private Rule create = NOTHING;
    private Rule update = NOTHING;
    private Rule statusUpdate = NOTHING;
    private Rule warnings = NOTHING;
    private @Nullable Rule statusWarnings;
    private BiFunction<JsonObject, User, JsonObject> requester = (object, user) -> object;
    private Rule earlyWarnings = NOTHING;
    private UnaryOperator<JsonObject> onCreate = object -> object;
    private BinaryOperator<JsonObject> onUpdate = (object, old) -> object;
    private BinaryOperator<JsonObject> onStatusUpdate = (object, old) -> object;
    private boolean wholeNames;
    private boolean hasStatus;
    private boolean countsGeneration;
    private boolean createsOnUpdate;
    private boolean unconditionalUpdate = true;
    private boolean answersDelete;
    private UnaryOperator<String> kept = name -> "";
    private boolean dependents = true;
    private boolean orphans;
    private String orphanWarning = "";
    private Grace grace = (object, requested) -> OptionalLong.empty();
    private Removal removal = Deletion::of;

    private Builder(boolean namespaced) {
      this.namespaced = namespaced;
    }

    /** Sets the fields in which an empty list or map differs from an absent one. */
    public Builder emptyFields(EmptyFields fields) {
      emptyFields = fields;
      return this;
    }

    public Builder defaults(Default... parts) {
      defaults = Default.all(parts);
      return this;
    }

    /** Sets the rule that depends on other objects; its errors come first. */
    public Builder among(Among rule) {
      among = rule;
      return this;
    }

    /** Sets the rules for a new object, including its metadata. */
    public Builder create(Rule... rules) {
      create = Rule.all(rules);
      return this;
    }

    /** Sets the rules for a changed object, including its metadata. */
    public Builder update(Rule... rules) {
      update = Rule.all(rules);
      return this;
    }

    /** Sets the rules for a changed status, including the metadata. */
    public Builder statusUpdate(Rule... rules) {
      statusUpdate = Rule.all(rules);
      return this;
    }

    /** Sets rules that report no errors but call {@link FieldCursor#warn}. */
    public Builder warnings(Rule... rules) {
      warnings = Rule.all(rules);
      return this;
    }

    /** Sets warnings about a new object before it is prepared. */
    public Builder earlyWarnings(Rule... rules) {
      earlyWarnings = Rule.all(rules);
      return this;
    }

    /** Sets warnings about a status update, if they differ from the others. */
    public Builder statusWarnings(Rule... rules) {
      statusWarnings = Rule.all(rules);
      return this;
    }

    /** Records the user in a new object. */
    public Builder requester(BiFunction<JsonObject, User, JsonObject> change) {
      requester = change;
      return this;
    }

    /** Uses {@code generateName} as the whole name, without a random suffix. */
    public Builder wholeNames() {
      wholeNames = true;
      return this;
    }

    /** Has a status of its own: create drops it and update keeps the old one. */
    public Builder status() {
      hasStatus = true;
      return this;
    }

    /**
     * Maintains a generation, which starts at 1 and counts changes outside of metadata and status.
     */
    public Builder generation() {
      countsGeneration = true;
      return this;
    }

    /** Prepares a new object before validation. */
    public Builder prepareCreate(UnaryOperator<JsonObject> change) {
      onCreate = change;
      return this;
    }

    /** Prepares a changed object (first argument) from the old one before validation. */
    public Builder prepareUpdate(BinaryOperator<JsonObject> change) {
      onUpdate = change;
      return this;
    }

    /** Prepares the object of a status update, after everything but the status was restored. */
    public Builder prepareStatusUpdate(BinaryOperator<JsonObject> change) {
      onStatusUpdate = change;
      return this;
    }

    public Builder createsOnUpdate() {
      createsOnUpdate = true;
      return this;
    }

    public Builder refusesUnconditionalUpdate() {
      unconditionalUpdate = false;
      return this;
    }

    public Builder answersDeleteWithObject() {
      answersDelete = true;
      return this;
    }

    /** Sets why an object of some name cannot be deleted; "" when it can. */
    public Builder keeps(UnaryOperator<String> reason) {
      kept = reason;
      return this;
    }

    /** Objects have no dependents. */
    public Builder withoutDependents() {
      dependents = false;
      return this;
    }

    /** Orphans dependents unless the client requests otherwise. */
    public Builder orphansDependents(String warning) {
      orphans = true;
      orphanWarning = warning;
      return this;
    }

    public Builder grace(Grace seconds) {
      grace = seconds;
      return this;
    }

    /** Sets the effect of a delete, if it differs from that of other resources. */
    public Builder removal(Removal rule) {
      removal = rule;
      return this;
    }

    public Strategy build() {
      return new ResourceRules(this);
    }
  }
}
