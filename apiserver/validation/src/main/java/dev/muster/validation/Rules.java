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

/** Combines rules with the fields and the conditions to which they apply. */
public final class Rules {
  private static final FieldPath METADATA = FieldPath.of("metadata");
  private static final Set<String> KNOWN_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  /** The metadata fields that a template must not have, not even empty. */
  public static final EmptyFields EMPTY_IN_TEMPLATES =
      EmptyFields.at("ownerReferences", "finalizers", "managedFields");

  private Rules() {}

  /** Applies rules to a field, present or not; a dot separates path segments. */
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

  /** Applies rules to a field that is present, even if it is empty. */
  public static Rule ifPresent(String path, Rule... rules) {
    return field(path, when(FieldCursor::isPresent, rules));
  }

  /** Applies rules to a field that is not empty. */
  public static Rule ifSet(String path, Rule... rules) {
    return field(path, when(place -> !place.isEmpty(), rules));
  }

  /** Requires a field that is not empty, and applies rules to it. */
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

  /** Applies rules to each item of the list in a field. */
  public static Rule each(String path, Rule... rules) {
    return field(path, items(rules));
  }

  /** Applies rules to each item of a list. */
  public static Rule items(Rule... rules) {
    var rule = Rule.all(rules);
    return place -> place.items().forEach(rule::check);
  }

  /** Applies rules to each value of a map. */
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

  /** Applies rules in order, until one reports an error. */
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

  /** Skips a rule that the old object already breaks, so that other fields can change. */
  public static Rule unlessBroken(Rule rule) {
    return place -> {
      if (!place.isUpdate() || !breaks(place.before(), rule)) {
        rule.check(place);
      }
    };
  }

  /** Whether the rule reports an error. */
  public static boolean breaks(FieldCursor place, Rule rule) {
    var errors = new ArrayList<FieldError>();
    rule.check(place.collectingInto(errors));
    return !errors.isEmpty();
  }

  /** Applies rules only on update. */
  public static Rule onUpdate(Rule... rules) {
    return when(FieldCursor::isUpdate, rules);
  }

  /** Condition: the field has one of these strings. */
  public static Predicate<FieldCursor> is(String field, String... texts) {
    var wanted = Set.of(texts);
    return place -> wanted.contains(place.at(field).text());
  }

  /** Condition: the field is not empty. */
  public static Predicate<FieldCursor> has(String field) {
    return place -> !place.at(field).isEmpty();
  }

  /** The metadata of a namespaced object. */
  public static Rule namespacedMetadata(NameRule names) {
    return Rule.all(plainMetadata(true, names), Rules::finalizers);
  }

  /** The metadata of a cluster-scoped object. */
  public static Rule clusterMetadata(NameRule names) {
    return Rule.all(plainMetadata(false, names), Rules::finalizers);
  }

  /** The metadata of any object; finalizers need no domain. */
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

  /** Metadata fields that cannot change. */
  public static Rule metadataUpdate() {
    return Rule.all(plainMetadataUpdate(), Rules::finalizers);
  }

  /** Metadata fields of any object that cannot change; finalizers need no domain. */
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

  /** Requires a finalizer with a domain, or one that Kubernetes defines. */
  static void finalizers(FieldCursor object) {
    object.at("metadata", "finalizers").items().forEach(Rules::knownFinalizer);
  }

  /** Refuses a name without domain that Kubernetes does not define. */
  public static void knownFinalizer(FieldCursor name) {
    if (name.text().indexOf('/') < 0 && !KNOWN_FINALIZERS.contains(name.text())) {
      name.invalid("name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /** Reports the errors of a function that collects them in a list. */
  public static void report(FieldCursor place, Consumer<List<FieldError>> finder) {
    var errors = new FieldErrors();
    finder.accept(errors);
    errors.forEach(place::report);
  }
}
