package dev.muster.validation.core;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.ObjectMeta;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The strategy of LimitRanges. */
public final class LimitRangeRules {
  private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
  private static final Rule LIMIT_RANGE =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          field("spec.limits", LimitRangeRules::limits));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .defaults(
              in(
                  "spec",
                  each(
                      "limits",
                      code(LimitRangeRules::defaults),
                      Resources.rounded("max"),
                      Resources.rounded("min"),
                      Resources.rounded("default"),
                      Resources.rounded("defaultRequest"),
                      Resources.rounded("maxLimitRequestRatio"))))
          .prepareCreate(LimitRangeRules::named)
          .create(LIMIT_RANGE)
          .update(LIMIT_RANGE)
          .createsOnUpdate()
          .build();

  private LimitRangeRules() {}

  /** Names a LimitRange without a name by its uid. */
  private static JsonObject named(JsonObject range) {
    return ObjectMeta.name(range).isEmpty()
        ? ObjectMeta.with(range, "name", ObjectMeta.uid(range))
        : range;
  }

  /**
   * Defaults for containers: the default limit is the maximum; the default request is the default
   * limit, else the minimum.
   */
  private static JsonObject defaults(JsonObject limit) {
    if (!limit.string("type").equals("Container")) {
      return limit;
    }
    var standard = filled(limit.object("default"), limit.object("max"));
    var request = filled(filled(limit.object("defaultRequest"), standard), limit.object("min"));
    var result = standard.isEmpty() ? limit : limit.with("default", standard);
    return request.isEmpty() ? result : result.with("defaultRequest", request);
  }

  private static JsonObject filled(JsonObject amounts, JsonObject from) {
    return amounts.filledFrom(from);
  }

  private static void limits(FieldCursor limits) {
    var types = new HashSet<String>();
    for (var limit : limits.items()) {
      type(limit.at("type"));
      if (!types.add(limit.at("type").text())) {
        limit.at("type").duplicate();
      }
      limit(limit);
    }
  }

  private static void type(FieldCursor type) {
    var problems = Names.qualifiedName(type.text());
    type.invalidEach(problems);
    if (problems.isEmpty() && type.text().indexOf('/') < 0 && !TYPES.contains(type.text())) {
      type.invalid("must be a standard limit type or fully qualified");
    }
  }

  private static void limit(FieldCursor limit) {
    var names = new LinkedHashSet<String>();
    boolean pod = limit.at("type").isText("Pod");
    names(limit, "max", names);
    names(limit, "min", names);
    for (var field : new String[] {"default", "defaultRequest"}) {
      if (!pod) {
        names(limit, field, names);
      } else if (!limit.at(field).isEmpty()) {
        limit.at(field).forbidden("may not be specified when `type` is 'Pod'");
      }
    }
    if (limit.at("type").isText("PersistentVolumeClaim")
        && !limit.at("min").has("storage")
        && !limit.at("max").has("storage")) {
      limit
          .at("limits")
          .required(
              "either minimum or maximum storage value is required, but neither was provided");
    }
    names(limit, "maxLimitRequestRatio", names);
    for (var name : names) {
      new Bounds(limit, name, pod).check();
    }
  }

  private static void names(FieldCursor limit, String field, Set<String> names) {
    boolean container = limit.at("type").isText("Pod") || limit.at("type").isText("Container");
    for (var entry : limit.at(field).entries()) {
      if (container) {
        Resources.containerName(entry);
      } else {
        Resources.name(entry);
      }
      names.add(entry.name());
    }
  }

  /** The bounds of one resource, which must be consistent. */
  private record Bounds(FieldCursor limit, String name, boolean pod) {
    private FieldCursor at(String field) {
      return limit.at(field).entry(name);
    }

    private @Nullable Quantity amount(String field) {
      return pod && field.startsWith("default") ? null : Resources.parse(at(field).value());
    }

    void check() {
      var min = amount("min");
      var max = amount("max");
      var standard = amount("default");
      var request = amount("defaultRequest");
      var ratio = amount("maxLimitRequestRatio");
      above("min", min, "min value", max, "max value");
      below("defaultRequest", min, "min value", request, "default request value");
      above("defaultRequest", request, "default request value", max, "max value");
      above("defaultRequest", request, "default request value", standard, "default limit value");
      odd("default", min, "min value", standard, "default value", min);
      odd("default", standard, "default value", max, "max value", max);
      if (ratio != null) {
        ratio(ratio, min, max);
      }
      if (!Resources.allowsOvercommit(name)
          && standard != null
          && request != null
          && !standard.equals(request)) {
        at("defaultRequest")
            .invalid(
                "default value "
                    + standard
                    + " must equal to defaultRequest value "
                    + request
                    + " in "
                    + name);
      }
    }

    /** Requires that the first does not exceed the second; shows the first. */
    private void above(
        String field, @Nullable Quantity first, String one, @Nullable Quantity second, String two) {
      odd(field, first, one, second, two, first);
    }

    /** Requires that the first does not exceed the second; shows the second. */
    private void below(
        String field, @Nullable Quantity first, String one, @Nullable Quantity second, String two) {
      odd(field, first, one, second, two, second);
    }

    private void odd(
        String field,
        @Nullable Quantity first,
        String one,
        @Nullable Quantity second,
        String two,
        @Nullable Quantity shown) {
      if (first != null && second != null && shown != null && first.compareTo(second) > 0) {
        at(field)
            .invalid(
                Json.of(shown.toString()),
                one + " " + first + " is greater than " + two + " " + second);
      }
    }

    private void ratio(Quantity ratio, @Nullable Quantity min, @Nullable Quantity max) {
      var place = at("maxLimitRequestRatio");
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        place.invalid("ratio " + ratio + " is less than 1");
      }
      if (min != null && max != null) {
        double most = max.doubleValue() / min.doubleValue();
        if (ratio.doubleValue() > most) {
          place.invalid(
              "ratio "
                  + ratio
                  + " is greater than max/min = "
                  + String.format(Locale.ROOT, "%f", most));
        }
      }
    }
  }
}
