package dev.muster.validation.core;

import static dev.muster.validation.FieldChecks.keys;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;

/** The strategy of ConfigMaps. */
public final class ConfigMapRules {
  private static final int MOST_BYTES = 1024 * 1024;
  static final String FROZEN = "field is immutable when `immutable` is set";

  private static final Rule CONFIG_MAP =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          field("data", keys(Names::configKey)),
          ConfigMapRules::keysInBoth,
          field("binaryData", keys(Names::configKey)),
          ConfigMapRules::size);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.at("data", "binaryData"))
          .create(CONFIG_MAP)
          .update(metadataUpdate(), ConfigMapRules::frozen, CONFIG_MAP)
          .build();

  private ConfigMapRules() {}

  private static void keysInBoth(FieldCursor map) {
    for (var entry : map.at("data").entries()) {
      if (map.at("binaryData").has(entry.name())) {
        entry.invalid(Json.of(entry.name()), "duplicate of key present in binaryData");
      }
    }
  }

  private static void size(FieldCursor map) {
    long size = 0;
    for (var entry : map.at("data").entries()) {
      size += GoText.bytes(entry.text());
    }
    for (var entry : map.at("binaryData").entries()) {
      size += decodedLength(entry.text());
    }
    if (size > MOST_BYTES) {
      map.tooLong(MOST_BYTES);
    }
  }

  /** The number of bytes in a base64 text. */
  static long decodedLength(String base64) {
    int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
    return base64.length() / 4L * 3 - padding;
  }

  private static void frozen(FieldCursor map) {
    if (!map.at("immutable").before().isTrue()) {
      return;
    }
    if (!map.at("immutable").isTrue()) {
      map.at("immutable").forbidden(FROZEN);
    }
    for (var field : new String[] {"data", "binaryData"}) {
      if (map.at(field).isChanged()) {
        map.at(field).forbidden(FROZEN);
      }
    }
  }
}
