package dev.muster.authorization.review;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelRequirement;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.Names;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the selectors of an access review. Requirements that no authorizer can understand are left
 * out, which widens the question, and are listed in the answer.
 */
final class SelectorCheck {
  private SelectorCheck() {}

  static void fields(JsonObject selector, FieldPath path, List<FieldError> errors) {
    shape(selector, path, errors);
    var requirements = selector.array("requirements").objects();
    for (int i = 0; i < requirements.size(); i++) {
      var at = path.child("requirements").index(i);
      if (requirements.get(i).string("key").isEmpty()) {
        errors.add(FieldError.required(at.child("key"), "must be specified"));
      }
      values(requirements.get(i), at, errors);
    }
  }

  static void labels(JsonObject selector, FieldPath path, List<FieldError> errors) {
    shape(selector, path, errors);
    var requirements = selector.array("requirements").objects();
    for (int i = 0; i < requirements.size(); i++) {
      var at = path.child("requirements").index(i);
      values(requirements.get(i), at, errors);
      LabelRules.key(requirements.get(i).string("key"), at.child("key"), errors);
      var values = requirements.get(i).array("values").strings();
      for (int j = 0; j < values.size(); j++) {
        for (var problem : Names.labelValue(values.get(j))) {
          errors.add(FieldError.invalid(at.child("values").index(j), values.get(j), problem));
        }
      }
    }
  }

  private static void shape(JsonObject selector, FieldPath path, List<FieldError> errors) {
    boolean raw = !selector.string("rawSelector").isEmpty();
    boolean requirements = !selector.array("requirements").isEmpty();
    if (raw && requirements) {
      errors.add(
          FieldError.invalid(
              path.child("rawSelector"),
              selector.string("rawSelector"),
              "may not specified at the same time as requirements"));
    }
    if (!raw && !requirements) {
      errors.add(
          FieldError.required(
              path.child("requirements"),
              "when " + path + " is specified, requirements or rawSelector is required"));
    }
  }

  private static void values(JsonObject requirement, FieldPath path, List<FieldError> errors) {
    boolean some = !requirement.array("values").isEmpty();
    switch (requirement.string("operator")) {
      case "In", "NotIn" -> {
        if (!some) {
          errors.add(
              FieldError.required(
                  path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (some) {
          errors.add(
              FieldError.forbidden(
                  path.child("values"),
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      default -> {
        // Operators of newer clients are accepted; the requirement is ignored.
      }
    }
  }

  /** The requirements that could not be understood. */
  static List<String> complaints(JsonObject attributes) {
    var complaints = new ArrayList<String>();
    if (attributes.get("fieldSelector") instanceof JsonObject selector) {
      complain("fieldSelector", fieldCount(selector), size(selector), complaints);
    }
    if (attributes.get("labelSelector") instanceof JsonObject selector) {
      complain("labelSelector", labelCount(selector), size(selector), complaints);
    }
    return complaints;
  }

  private static int size(JsonObject selector) {
    return selector.array("requirements").isEmpty() ? 1 : selector.array("requirements").size();
  }

  private static void complain(String name, int understood, int all, List<String> complaints) {
    if (understood < all) {
      complaints.add(
          "spec.resourceAttributes."
              + name
              + (understood > 0 ? " partially ignored" : " ignored")
              + " due to parse error");
    }
  }

  private static int fieldCount(JsonObject selector) {
    if (selector.array("requirements").isEmpty()) {
      return parses(() -> FieldSelector.parse(selector.string("rawSelector"))) ? 1 : 0;
    }
    return understoodFields(selector).terms().size();
  }

  private static int labelCount(JsonObject selector) {
    if (selector.array("requirements").isEmpty()) {
      return parses(() -> LabelSelector.parse(selector.string("rawSelector"))) ? 1 : 0;
    }
    return understoodLabels(selector).requirements().size();
  }

  /** The understood part of a field selector; everything when there is none. */
  static FieldSelector understoodFields(JsonObject selector) {
    var requirements = selector.array("requirements").objects();
    if (requirements.isEmpty()) {
      return FieldSelector.readable(selector.string("rawSelector"));
    }
    var terms = new ArrayList<FieldSelector.Term>();
    for (var requirement : requirements) {
      var operator = requirement.string("operator");
      var values = requirement.array("values").strings();
      if ((operator.equals("In") || operator.equals("NotIn")) && values.size() == 1) {
        terms.add(
            new FieldSelector.Term(
                requirement.string("key"), operator.equals("In"), values.getFirst()));
      }
    }
    return new FieldSelector(terms);
  }

  /** The understood part of a label selector; everything when there is none. */
  static LabelSelector understoodLabels(JsonObject selector) {
    var requirements = selector.array("requirements").objects();
    if (requirements.isEmpty()) {
      return LabelSelector.readable(selector.string("rawSelector"));
    }
    var understood = new ArrayList<LabelRequirement>();
    for (var requirement : requirements) {
      var operator = operator(requirement.string("operator"));
      if (operator != null) {
        try {
          understood.add(
              LabelRequirement.checked(
                  requirement.string("key"), operator, requirement.array("values").strings()));
        } catch (MalformedValueException e) {
          // {@code complaints} lists it in the answer.
        }
      }
    }
    return LabelSelector.inOrder(understood);
  }

  private static LabelRequirement.@Nullable Operator operator(String name) {
    return switch (name) {
      case "In" -> LabelRequirement.Operator.IN;
      case "NotIn" -> LabelRequirement.Operator.NOT_IN;
      case "Exists" -> LabelRequirement.Operator.EXISTS;
      case "DoesNotExist" -> LabelRequirement.Operator.DOES_NOT_EXIST;
      default -> null;
    };
  }

  private static boolean parses(Runnable parse) {
    try {
      parse.run();
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }
}
