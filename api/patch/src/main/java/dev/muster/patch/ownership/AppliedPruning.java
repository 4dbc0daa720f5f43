package dev.muster.patch.ownership;

import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.typed.TypedFields;
import dev.muster.patch.ownership.typed.TypedRemoval;
import dev.muster.schema.StructShape;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes fields that the applier's last configuration contained, that the new one lacks, and that
 * no other manager owns.
 */
final class AppliedPruning {
  private final StructShape shape;
  private final String apiVersion;
  private final Versions versions;

  AppliedPruning(StructShape shape, String apiVersion, Versions versions) {
    this.shape = shape;
    this.apiVersion = apiVersion;
    this.versions = versions;
  }

  /** An object in one of its versions. */
  private record Typed(StructShape shape, String apiVersion, JsonObject object) {
    FieldSet fields() {
      return named(TypedFields.of(shape, object));
    }

    FieldSet named(FieldSet set) {
      return TypedFields.withNamedFields(shape, set);
    }

    Typed without(FieldSet fields) {
      return new Typed(shape, apiVersion, TypedRemoval.remove(shape, object, fields));
    }
  }

  private @Nullable Typed in(Typed typed, String version) {
    if (typed.apiVersion().equals(version)) {
      return typed;
    }
    var converted = versions.convert(typed.object(), version);
    return converted == null ? null : new Typed(converted.shape(), version, converted.object());
  }

  /**
   * @param merged the live object merged with the configuration
   * @param last the applier's previous entry
   * @param fields the fields of the new configuration
   */
  JsonObject prune(JsonObject merged, ManagedEntry last, FieldSet fields, ManagedFields managed) {
    boolean sameVersion = last.apiVersion().equals(apiVersion);
    if (sameVersion && last.fields().minus(fields).isEmpty()) {
      return merged;
    }
    var all = in(new Typed(shape, apiVersion, merged), last.apiVersion());
    if (all == null) {
      return merged;
    }
    var pruned = all.without(all.named(last.fields()));
    pruned = addBackOwned(all, pruned, owned(last, fields, managed));
    pruned = addBackUnowned(all, pruned, last.fields());
    var result = in(pruned, apiVersion);
    return result == null ? merged : result.object();
  }

  /**
   * The owned fields per version after this apply, beginning with the version of the last apply.
   */
  private Map<String, FieldSet> owned(ManagedEntry last, FieldSet fields, ManagedFields managed) {
    var owned = new LinkedHashMap<String, FieldSet>();
    owned.put(last.apiVersion(), FieldSet.EMPTY);
    for (var entry : managed.entries()) {
      if (!entry.id().equals(last.id())) {
        owned.merge(entry.apiVersion(), entry.fields(), FieldSet::plus);
      }
    }
    owned.merge(apiVersion, fields, FieldSet::plus);
    return owned;
  }

  private Typed addBackOwned(Typed merged, Typed pruned, Map<String, FieldSet> ownedByVersion) {
    var all = merged;
    var kept = pruned;
    for (var owned : ownedByVersion.entrySet()) {
      var allThere = in(all, owned.getKey());
      var keptThere = in(kept, owned.getKey());
      if (allThere != null && keptThere != null) {
        var stays = keptThere.fields().plus(allThere.named(owned.getValue()));
        all = allThere;
        kept = allThere.without(allThere.fields().minus(stays));
      }
    }
    return kept;
  }

  /** Restores fields without an owner: only fields that the applier owned may be removed. */
  private Typed addBackUnowned(Typed merged, Typed pruned, FieldSet last) {
    var kept = in(pruned, merged.apiVersion());
    if (kept == null) {
      return merged;
    }
    return merged.without(merged.fields().minus(kept.fields()).and(merged.named(last)));
  }
}
