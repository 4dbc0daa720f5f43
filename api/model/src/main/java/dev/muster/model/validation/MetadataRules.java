package dev.muster.model.validation;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Validates an object's {@code metadata} on creation and on update. */
public final class MetadataRules {
  public static final String IMMUTABLE = "field is immutable";

  private static final int MOST_MANAGER_BYTES = 128;
  private static final int MOST_SUBRESOURCE_BYTES = 256;

  private MetadataRules() {}

  /** Validates the name, namespace and generation of a new or updated object. */
  public static void create(
      JsonObject metadata,
      boolean namespaced,
      NameRule rule,
      FieldPath path,
      List<FieldError> errors) {
    var base = metadata.string("generateName");
    if (!base.isEmpty()) {
      for (var problem : rule.check(base, true)) {
        errors.add(FieldError.invalid(path.child("generateName"), base, problem));
      }
    }
    var name = metadata.string("name");
    if (name.isEmpty()) {
      errors.add(FieldError.required(path.child("name"), "name or generateName is required"));
    } else {
      for (var problem : rule.check(name, false)) {
        errors.add(FieldError.invalid(path.child("name"), name, problem));
      }
    }
    namespace(metadata.string("namespace"), namespaced, path.child("namespace"), errors);
    long generation = metadata.integer("generation", 0);
    if (generation < 0) {
      errors.add(
          FieldError.invalid(
              path.child("generation"), generation, "must be greater than or equal to 0"));
    }
  }

  /** Validates labels, annotations, owners and finalizers by the rules of creation. */
  public static void contents(JsonObject metadata, FieldPath path, List<FieldError> errors) {
    LabelRules.labels(metadata.object("labels"), path.child("labels"), errors);
    LabelRules.annotations(metadata.object("annotations"), path.child("annotations"), errors);
    owners(metadata.array("ownerReferences"), path.child("ownerReferences"), errors);
    finalizers(metadata.array("finalizers"), path.child("finalizers"), errors);
    managedFields(metadata.array("managedFields"), path.child("managedFields"), errors);
  }

  /** Validates the contents of the metadata on update, without finalizers. */
  public static void contentsOfUpdate(
      JsonObject metadata, FieldPath path, List<FieldError> errors) {
    LabelRules.labels(metadata.object("labels"), path.child("labels"), errors);
    LabelRules.annotations(metadata.object("annotations"), path.child("annotations"), errors);
    owners(metadata.array("ownerReferences"), path.child("ownerReferences"), errors);
    managedFields(metadata.array("managedFields"), path.child("managedFields"), errors);
  }

  private static void namespace(
      String namespace, boolean namespaced, FieldPath path, List<FieldError> errors) {
    if (!namespaced) {
      if (!namespace.isEmpty()) {
        errors.add(FieldError.forbidden(path, "not allowed on this type"));
      }
    } else if (namespace.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    } else {
      for (var problem : Names.dnsLabel(namespace)) {
        errors.add(FieldError.invalid(path, namespace, problem));
      }
    }
  }

  /** Validates that immutable fields did not change and that deletion gets no new finalizers. */
  public static void update(
      JsonObject metadata, JsonObject old, FieldPath path, List<FieldError> errors) {
    if (old.has("deletionTimestamp")) {
      var added = new TreeSet<>(metadata.array("finalizers").strings());
      added.removeAll(old.array("finalizers").strings());
      if (!added.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                path.child("finalizers"),
                "no new finalizers can be added if the object is being deleted, found new"
                    + " finalizers "
                    + GoText.quoteAll(new ArrayList<>(added))));
      }
    }
    if (metadata.string("resourceVersion").isEmpty()) {
      errors.add(
          FieldError.invalid(path.child("resourceVersion"), "", "must be specified for an update"));
    }
    if (metadata.integer("generation", 0) < old.integer("generation", 0)) {
      errors.add(
          FieldError.invalid(
              path.child("generation"),
              metadata.integer("generation", 0),
              "must not be decremented"));
    }
    for (var field : List.of("name", "namespace", "uid")) {
      if (!metadata.string(field).equals(old.string(field))) {
        errors.add(FieldError.invalid(path.child(field), metadata.string(field), IMMUTABLE));
      }
    }
    for (var field :
        List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
      immutable(metadata.get(field), old.get(field), path.child(field), errors);
    }
  }

  /** The value must equal the old one; absent and null are the same. */
  public static void immutable(
      @Nullable Json value, @Nullable Json old, FieldPath path, List<FieldError> errors) {
    var now = value == null ? JsonNull.NULL : value;
    var before = old == null ? JsonNull.NULL : old;
    if (!now.equals(before)) {
      errors.add(FieldError.invalid(path, now, IMMUTABLE));
    }
  }

  private static void owners(JsonArray owners, FieldPath path, List<FieldError> errors) {
    var controller = "";
    for (var owner : owners.objects()) {
      owner(owner, path, errors);
      if (owner.isTrue("controller")) {
        var name = owner.string("kind") + "/" + owner.string("name");
        if (controller.isEmpty()) {
          controller = name;
        } else {
          errors.add(
              FieldError.invalid(
                  path,
                  owners,
                  "Only one reference can have Controller set to true. Found \"true\" in"
                      + " references for "
                      + controller
                      + " and "
                      + name));
        }
      }
    }
  }

  private static void owner(JsonObject owner, FieldPath path, List<FieldError> errors) {
    var apiVersion = owner.string("apiVersion");
    var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    if (version.isEmpty() || version.indexOf('/') >= 0) {
      errors.add(
          FieldError.invalid(path.child("apiVersion"), apiVersion, "version must not be empty"));
    }
    for (var field : List.of("kind", "name", "uid")) {
      if (owner.string(field).isEmpty()) {
        errors.add(FieldError.invalid(path.child(field), "", "must not be empty"));
      }
    }
    if ((apiVersion.equals("v1") || apiVersion.equals("/v1"))
        && owner.string("kind").equals("Event")) {
      errors.add(
          FieldError.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
  }

  /** The finalizers of an object, or those in a namespace's spec. */
  public static void finalizers(JsonArray finalizers, FieldPath path, List<FieldError> errors) {
    var names = finalizers.strings();
    for (var name : names) {
      for (var problem : Names.qualifiedName(name)) {
        errors.add(FieldError.invalid(path, name, problem));
      }
    }
    if (names.contains("orphan") && names.contains("foregroundDeletion")) {
      errors.add(
          FieldError.invalid(
              path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"));
    }
  }

  /** The managedFields entries. */
  public static void managedFields(JsonArray entries, FieldPath path, List<FieldError> errors) {
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.object(i);
      var at = path.index(i);
      var operation = entry.string("operation");
      if (!operation.equals("Apply") && !operation.equals("Update")) {
        errors.add(
            FieldError.invalid(at.child("operation"), operation, "must be `Apply` or `Update`"));
      }
      var type = entry.string("fieldsType");
      if (!type.isEmpty() && !type.equals("FieldsV1")) {
        errors.add(FieldError.invalid(at.child("fieldsType"), type, "must be `FieldsV1`"));
      }
      fieldManager(entry.string("manager"), at.child("manager"), errors);
      if (GoText.bytes(entry.string("subresource")) > MOST_SUBRESOURCE_BYTES) {
        errors.add(FieldError.tooLong(at.child("subresource"), MOST_SUBRESOURCE_BYTES));
      }
    }
  }

  /** The name of a field manager. */
  public static void fieldManager(String manager, FieldPath path, List<FieldError> errors) {
    if (GoText.bytes(manager) > MOST_MANAGER_BYTES) {
      errors.add(FieldError.tooLong(path, MOST_MANAGER_BYTES));
    }
    int position = 0;
    for (int i = 0; i < manager.length(); ) {
      int c = manager.codePointAt(i);
      if (!GoText.isPrint(c)) {
        errors.add(
            FieldError.invalid(
                path,
                manager,
                "invalid character " + GoText.codePoint(c) + " (at position " + position + ")"));
      }
      position += GoText.bytes(Character.toString(c));
      i += Character.charCount(c);
    }
  }
}
