package dev.muster.validation;

import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldErrors;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Puts rules together: where they look, and under which condition. */
public final class Rules {
  private static final FieldPath METADATA = FieldPath.of("metadata");
  private static final Set<String> KNOWN_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  /** What the metadata of a template may not have, not even an empty list of it. */
  public static final EmptyFields EMPTY_IN_TEMPLATES =
      EmptyFields.at("ownerReferences", "finalizers", "managedFields");

  private Rules() {}

  /** Looks at a field, whether it is there or not; a dot goes one deeper. */
  public static Rule field(String path, Rule... rules) {
    var rule = Rule.all(rules);
    var names = path.split("\\.");
    if (names.length == 1) {
      return place -> rule.check(place.at(path));
    }
    return place -> {
      for (var name : names) {
        place = place.at(name);
      }
      rule.check(place);
    };
  }

  /** Looks at a field when something is there; an empty text, list or object is something. */
  public static Rule ifPresent(String path, Rule... rules) {
    return field(path, when(FieldCursor::isPresent, rules));
  }

  /** Looks at a field when it has content. */
  public static Rule ifSet(String path, Rule... rules) {
    return field(path, when(place -> !place.isEmpty(), rules));
  }

  /** Wants a field to have content, and if so looks at it. */
  public static Rule required(String path, String detail, Rule... rules) {
    var rule = Rule.all(rules);
    return field(
        path,
        place -> {
          if (place.isEmpty()) {
            place.required(detail);
          } else {
            rule.check(place);
          }
        });
  }

  /** Looks at each member of the list in a field. */
  public static Rule each(String path, Rule... rules) {
    return field(path, items(rules));
  }

  /** Looks at each member of a list. */
  public static Rule items(Rule... rules) {
    var rule = Rule.all(rules);
    return place -> place.items().forEach(rule::check);
  }

  /** Looks at each value of a map. */
  public static Rule entries(Rule... rules) {
    var rule = Rule.all(rules);
    return place -> place.entries().forEach(rule::check);
  }

  public static Rule when(Predicate<FieldCursor> condition, Rule... rules) {
    var rule = Rule.all(rules);
    return place -> {
      if (condition.test(place)) {
        rule.check(place);
      }
    };
  }

  /** One rule after the other, until one of them reports something. */
  public static Rule steps(Rule... rules) {
    return place -> {
      var errors = new FieldErrors();
      var collecting = place.collectingInto(errors);
      for (var rule : rules) {
        rule.check(collecting);
        if (!errors.isEmpty()) {
          errors.forEach(place::report);
          return;
        }
      }
    };
  }

  /** A rule that is not held against what broke it already, so that the rest can change. */
  public static Rule unlessBroken(Rule rule) {
    return place -> {
      if (!place.isUpdate() || !breaks(place.before(), rule)) {
        rule.check(place);
      }
    };
  }

  /** Whether the rule reports anything. */
  public static boolean breaks(FieldCursor place, Rule rule) {
    var errors = new ArrayList<FieldError>();
    rule.check(place.collectingInto(errors));
    return !errors.isEmpty();
  }

  /** Only on update. */
  public static Rule onUpdate(Rule... rules) {
    return when(FieldCursor::isUpdate, rules);
  }

  /** Condition: the field holds one of these texts. */
  public static Predicate<FieldCursor> is(String field, String... texts) {
    var wanted = Set.of(texts);
    return place -> wanted.contains(place.at(field).text());
  }

  /** Condition: the field has content. */
  public static Predicate<FieldCursor> has(String field) {
    return place -> !place.at(field).isEmpty();
  }

  /** The metadata of an object in a namespace. */
  public static Rule namespacedMetadata(NameRule names) {
    return Rule.all(plainMetadata(true, names), Rules::finalizers);
  }

  /** The metadata of an object outside of namespaces. */
  public static Rule clusterMetadata(NameRule names) {
    return Rule.all(plainMetadata(false, names), Rules::finalizers);
  }

  /** The metadata of any object; finalizers need not have a domain. */
  public static Rule plainMetadata(boolean namespaced, NameRule names) {
    return place ->
        report(
            place,
            errors -> {
              var metadata = place.at("metadata").object();
              MetadataRules.create(metadata, namespaced, names, METADATA, errors);
              if (!place.hasCleanMetadata()) {
                MetadataRules.contents(metadata, METADATA, errors);
              }
            });
  }

  /** What may not change in the metadata. */
  public static Rule metadataUpdate() {
    return Rule.all(plainMetadataUpdate(), Rules::finalizers);
  }

  /** What may not change in the metadata of any object; finalizers need not have a domain. */
  public static Rule plainMetadataUpdate() {
    return place ->
        report(
            place,
            errors -> {
              var metadata = place.at("metadata");
              MetadataRules.update(metadata.object(), metadata.before().object(), METADATA, errors);
              if (!place.hasCleanMetadata()) {
                MetadataRules.contentsOfUpdate(metadata.object(), METADATA, errors);
              }
            });
  }

  /** A finalizer has a domain or is one that Kubernetes knows. */
  static void finalizers(FieldCursor object) {
    object.at("metadata", "finalizers").items().forEach(Rules::knownFinalizer);
  }

  /** Refuses a name without domain that Kubernetes does not know. */
  public static void knownFinalizer(FieldCursor name) {
    if (name.text().indexOf('/') < 0 && !KNOWN_FINALIZERS.contains(name.text())) {
      name.invalid("name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /** Takes over errors that are found by functions which collect them in a list. */
  public static void report(FieldCursor place, Consumer<List<FieldError>> finder) {
    var errors = new FieldErrors();
    finder.accept(errors);
    errors.forEach(place::report);
  }
}
