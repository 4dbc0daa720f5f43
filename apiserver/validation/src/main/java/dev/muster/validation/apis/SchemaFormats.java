package dev.muster.validation.apis;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Warns about formats that validation ignores. */
final class SchemaFormats {
  private static final Set<String> KNOWN =
      Set.of(
          "bsonobjectid",
          "uri",
          "email",
          "hostname",
          "ipv4",
          "ipv6",
          "cidr",
          "mac",
          "uuid",
          "uuid3",
          "uuid4",
          "uuid5",
          "isbn",
          "isbn10",
          "isbn13",
          "creditcard",
          "ssn",
          "hexcolor",
          "rgbcolor",
          "byte",
          "password",
          "date",
          "duration",
          "datetime",
          "k8sshortname",
          "k8slongname");

  private SchemaFormats() {}

  static void warnings(FieldCursor definition) {
    if (definition.isUpdate() && !definition.at("spec").isChanged()) {
      return;
    }
    var before = new ArrayList<String>();
    if (definition.isUpdate()) {
      DefinitionForm.schemas(definition.before().object())
          .forEach(schema -> unknown(schema, before));
    }
    var now = new ArrayList<String>();
    var schemas = DefinitionForm.schemas(definition.object());
    for (var schema : schemas.size() > 1 ? new LinkedHashSet<>(schemas) : schemas) {
      unknown(schema, now);
    }
    for (var format : now) {
      if (!before.contains(format)) {
        definition.warn("unrecognized format " + GoText.quote(format));
      }
    }
  }

  private static void unknown(JsonObject schema, List<String> found) {
    for (var part : SchemaTree.all(schema)) {
      var format = part.string("format");
      if (!format.isEmpty() && !isKnown(part.string("type"), format)) {
        found.add(format);
      }
    }
  }

  private static boolean isKnown(String type, String format) {
    return switch (type) {
      case "", "string" -> KNOWN.contains(format.replace("-", ""));
      case "integer" -> format.equals("int32") || format.equals("int64");
      case "number" -> format.equals("float") || format.equals("double");
      default -> false;
    };
  }
}
