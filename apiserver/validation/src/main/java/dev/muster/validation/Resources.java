package dev.muster.validation;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.Names;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names and quantities of compute resources such as cpu, memory and {@code example.com/gpu}. */
public final class Resources {
  private static final String REQUESTS = "requests.";
  private static final String HUGE_PAGES = "hugepages-";
  private static final int MILLI = -3;

  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> COUNTED =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");
  private static final Set<String> COMPUTE =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "requests.storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");

  private Resources() {}

  /** Rounds the quantities of a resource list up to thousandths, like upstream's defaults. */
  public static Default rounded(String field) {
    return Default.in(field, Default.code(Resources::rounded));
  }

  private static JsonObject rounded(JsonObject amounts) {
    return amounts.mapValues(
        (name, value) -> {
          if (value instanceof JsonString text && isWhole(text.value())) {
            return value;
          }
          var amount = parse(value);
          var up = amount == null ? null : amount.roundedUp(MILLI);
          return up == null || up == amount ? value : Json.of(up.toString());
        });
  }

  /** Whether a text certainly contains no fraction smaller than a thousandth. */
  private static boolean isWhole(String text) {
    int last = text.length() - 1;
    if (last < 0 || "nueE".indexOf(text.charAt(last)) >= 0) {
      return false;
    }
    for (int i = 0; i < last; i++) {
      char c = text.charAt(i);
      if (c == '.' || c == 'e' || c == 'E') {
        return false;
      }
    }
    return true;
  }

  /** The quantity, or null when there is no valid one. */
  public static @Nullable Quantity parse(@Nullable Json value) {
    try {
      return switch (value) {
        case JsonString text -> Quantity.parse(text.value().strip());
        case JsonNumber number -> Quantity.parse(number.toString());
        case null, default -> null;
      };
    } catch (MalformedValueException e) {
      return null;
    }
  }

  /** The quantity at a field; zero when there is none. */
  public static Quantity amount(FieldCursor place) {
    var amount = parse(place.value());
    return amount == null ? Quantity.ZERO : amount;
  }

  public static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  /** Whether the name has no domain, or a Kubernetes domain. */
  public static boolean isNative(String name) {
    return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
  }

  /** Whether it is an extended resource of a node. */
  public static boolean isExtended(String name) {
    return !isNative(name)
        && !name.startsWith(REQUESTS)
        && Names.qualifiedName(REQUESTS + name).isEmpty();
  }

  /** Whether limits may exceed requests. */
  public static boolean allowsOvercommit(String name) {
    return isNative(name) && !isHugePages(name);
  }

  public static boolean isForContainers(String name) {
    return CONTAINER.contains(name) || isHugePages(name);
  }

  /** Whether a quota can limit it without a domain in its name. */
  public static boolean isForQuota(String name) {
    return COUNTED.contains(name)
        || COMPUTE.contains(name)
        || isHugePages(name)
        || name.startsWith(REQUESTS + HUGE_PAGES);
  }

  public static boolean isInteger(String name) {
    return COUNTED.contains(name) || isExtended(name);
  }

  /** Validates the name of a resource, which is the key of the map entry. */
  public static void name(FieldCursor entry) {
    name(entry, entry.name());
  }

  private static void name(FieldCursor entry, String name) {
    var problems = Names.qualifiedName(name);
    for (var problem : problems) {
      entry.invalid(Json.of(name), problem);
    }
    if (problems.isEmpty()
        && name.indexOf('/') < 0
        && !isForQuota(name)
        && !name.equals("storage")) {
      entry.invalid(Json.of(name), "must be a standard resource type or fully qualified");
    }
  }

  /** Validates the name of a resource of a container. */
  public static void containerName(FieldCursor entry) {
    containerName(entry, entry.name());
  }

  /** Validates the name of a resource of a container, given as text. */
  public static void containerName(FieldCursor entry, String name) {
    name(entry, name);
    if (name.indexOf('/') < 0) {
      if (!isForContainers(name)) {
        entry.invalid(Json.of(name), "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      entry.invalid(Json.of(name), "doesn't follow extended resource name standard");
    }
  }

  /** Requires a quantity that is not negative, and an integer for countable resources. */
  public static void amountOf(FieldCursor entry) {
    nonNegative(entry);
    if (isInteger(entry.name()) && amount(entry).milliValue() % 1000 != 0) {
      entry.invalid("must be an integer");
    }
  }

  public static void nonNegative(FieldCursor place) {
    if (amount(place).signum() < 0) {
      place.invalid(Json.of(amount(place).toString()), "must be greater than or equal to 0");
    }
  }
}
