package dev.muster.validation.resource;

import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Resources;

/** Validates device capacities and how they can be shared. */
final class Capacities {
  private static final int MOST_OPTIONS = 10;

  private Capacities() {}

  static void check(FieldCursor capacity, boolean shared) {
    var policy = capacity.at("requestPolicy");
    if (policy.isAbsent()) {
      return;
    }
    if (!shared) {
      policy.forbidden("allowMultipleAllocations must be true");
      return;
    }
    var most = Resources.amount(capacity.at("value"));
    var values = policy.at("validValues");
    var range = policy.at("validRange");
    var standard = policy.at("default");
    if (!values.isEmpty() && range.isPresent()) {
      policy.forbidden(
          "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\""
              + " at the same time");
    } else if (!values.isEmpty()) {
      if (standard.isAbsent()) {
        standard.required("required when validValues is defined");
      } else {
        values(values, Resources.amount(standard), most);
      }
    } else if (range.isPresent()) {
      if (standard.isAbsent()) {
        standard.required("required when validRange is defined");
      } else {
        range(range, Resources.amount(standard), most);
      }
    }
  }

  private static void refuse(FieldCursor place, Quantity shown, String detail) {
    place.invalid(Json.of(shown.toString()), detail);
  }

  private static void values(FieldCursor values, Quantity standard, Quantity most) {
    var items = values.items();
    for (int i = 0; i + 1 < items.size(); i++) {
      var next = Resources.amount(items.get(i + 1));
      if (Resources.amount(items.get(i)).compareTo(next) > 0) {
        refuse(items.get(i + 1), next, "values must be sorted in ascending order");
      }
    }
    DeviceLists.set(
        values,
        MOST_OPTIONS,
        option -> {
          var amount = Resources.amount(option);
          if (amount.compareTo(most) > 0) {
            refuse(option, amount, "option is larger than capacity value: " + most);
          }
        },
        option -> Json.of(String.valueOf(Resources.amount(option).value())));
    boolean known =
        items.size() <= MOST_OPTIONS
            && items.stream().anyMatch(item -> Resources.amount(item).compareTo(standard) == 0);
    if (!known) {
      refuse(values, standard, "default value is not valid according to the requestPolicy");
    }
  }

  private static void range(FieldCursor range, Quantity standard, Quantity most) {
    if (!range.has("min")) {
      range.at("min").required("required when validRange is defined");
      return;
    }
    var low = Resources.amount(range.at("min"));
    if (low.compareTo(most) > 0) {
      refuse(range.at("min"), low, "min is larger than capacity value: " + most);
    }
    if (standard.compareTo(low) < 0) {
      refuse(range.at("min"), standard, "default is less than min: " + low);
    }
    if (range.has("max")) {
      var high = Resources.amount(range.at("max"));
      if (low.compareTo(high) > 0) {
        refuse(range.at("max"), low, "min is larger than max: " + high);
      }
      if (high.compareTo(most) > 0) {
        refuse(range.at("max"), high, "max is larger than capacity value: " + most);
      }
      if (standard.compareTo(high) > 0) {
        refuse(range.at("max"), standard, "default is more than max: " + high);
      }
    }
    if (range.has("step")) {
      step(range, low, standard, most);
    }
  }

  private static void step(FieldCursor range, Quantity low, Quantity standard, Quantity most) {
    var place = range.at("step");
    var step = Resources.amount(place);
    var next = low.plus(step);
    if (next.compareTo(most) > 0) {
      refuse(place, step, "one step " + next + " is larger than capacity value: " + most);
    }
    multiple(place, standard, low, step);
    if (range.has("max")) {
      multiple(place, Resources.amount(range.at("max")), low, step);
    }
  }

  private static void multiple(FieldCursor place, Quantity amount, Quantity low, Quantity step) {
    if (step.value() != 0 && (amount.value() - low.value()) % step.value() != 0) {
      refuse(
          place,
          amount,
          "value is not a multiple of a given step (" + step + ") from (" + low + ")");
    }
  }
}
