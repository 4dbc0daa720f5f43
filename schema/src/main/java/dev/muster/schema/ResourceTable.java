package dev.muster.schema;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.schema.ResourceType.Subresource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code resources.txt}, which explains itself, and others like it. */
final class ResourceTable {
  private static final Set<String> ALL_VERBS =
      Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final Set<String> SUBRESOURCE_VERBS = Set.of("get", "patch", "update");

  private final List<ResourceType> types = new ArrayList<>();
  private GroupVersion groupVersion = new GroupVersion("", "v1");
  private @Nullable List<String> resource;
  private final List<Subresource> subresources = new ArrayList<>();

  private ResourceTable() {}

  static List<ResourceType> load(String file) {
    try (var in = ResourceTable.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the table of resources is missing from this build");
      }
      var table = new ResourceTable();
      new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(table::line);
      table.finish();
      return table.types;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the table of resources", e);
    }
  }

  private void line(String line) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    var words = List.of(line.strip().split(" +"));
    if (line.startsWith("[")) {
      finish();
      groupVersion = GroupVersion.parse(line.substring(1, line.length() - 1));
    } else if (line.startsWith(" ")) {
      subresource(words);
    } else {
      finish();
      resource = words;
    }
  }

  private void subresource(List<String> words) {
    var owner = resource;
    if (owner == null) {
      throw new IllegalArgumentException("a subresource without a resource: " + words);
    }
    var verbs = SUBRESOURCE_VERBS;
    var kind = groupVersion.kind(owner.get(1));
    for (var word : words.subList(1, words.size())) {
      if (word.startsWith("verbs=")) {
        verbs = verbs(word);
      } else if (word.contains(",")) {
        var parts = word.split(",");
        kind = GroupVersion.parse(parts[0]).kind(parts[1]);
      } else {
        kind = groupVersion.kind(word);
      }
    }
    subresources.add(new Subresource(words.getFirst(), kind, verbs));
  }

  private static Set<String> verbs(String word) {
    return Set.of(word.substring("verbs=".length()).split(","));
  }

  private void finish() {
    var words = resource;
    if (words == null) {
      return;
    }
    var kind = groupVersion.kind(words.get(1));
    var plural = words.getFirst();
    var verbs = ALL_VERBS;
    var storage = "/" + plural;
    var stored = kind;
    var shortNames = new ArrayList<String>();
    var categories = new ArrayList<String>();
    for (var word : words.subList(3, words.size())) {
      if (word.startsWith("verbs=")) {
        verbs = verbs(word);
      } else if (word.startsWith("storage=")) {
        storage = "/" + word.substring("storage=".length());
      } else if (word.startsWith("stored=")) {
        stored = GroupVersion.parse(word.substring("stored=".length())).kind(kind.kind());
      } else if (word.startsWith("+")) {
        categories.add(word.substring(1));
      } else {
        shortNames.add(word);
      }
    }
    types.add(
        new ResourceType(
            kind,
            plural,
            kind.kind().toLowerCase(Locale.ROOT),
            words.get(2).equals("namespaced"),
            shortNames,
            categories,
            verbs,
            subresources,
            storage,
            stored,
            shape(kind)));
    resource = null;
    subresources.clear();
  }

  private static StructShape shape(GroupVersionKind kind) {
    var shape = Schemas.of(kind);
    if (shape == null) {
      throw new IllegalArgumentException("no schema for " + kind);
    }
    return shape;
  }
}
