package dev.muster.schema;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The structs of the built-in types: those of Kubernetes 1.36 and Muster's own. Loaded on first
 * use. Immutable.
 */
public final class Schemas {
  /** The package of the structs that all groups share. */
  public static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private static final String META_GROUP = "meta.k8s.io";

  private static final GroupVersion CORE = new GroupVersion("", "v1");

  /** Kinds of meta/v1 that exist in every group and version. */
  private static final Set<String> EVERYWHERE =
      Set.of(
          "CreateOptions",
          "DeleteOptions",
          "GetOptions",
          "ListOptions",
          "PatchOptions",
          "UpdateOptions",
          "WatchEvent");

  private static final class Loaded {
    static final SchemaFileReader.Content CONTENT = load();
    static final Map<String, StructShape> BY_NAME = byName(CONTENT);

    private static SchemaFileReader.Content load() {
      var kubernetes = SchemaFileReader.load();
      var byName = byName(kubernetes);
      return kubernetes.with(
          MusterTypes.read(name -> Objects.requireNonNull(byName.get(name), name)));
    }

    private static Map<String, StructShape> byName(SchemaFileReader.Content content) {
      var structs = new HashMap<String, StructShape>();
      content.structs().forEach(struct -> structs.put(struct.name(), struct));
      return structs;
    }
  }

  private Schemas() {}

  public static Collection<StructShape> all() {
    return Collections.unmodifiableCollection(Loaded.CONTENT.structs());
  }

  /**
   * The struct of that OpenAPI definition, such as {@code io.k8s.api.core.v1.PodSpec}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static StructShape struct(String definition) {
    var struct = Loaded.BY_NAME.get(definition);
    if (struct == null) {
      throw new IllegalArgumentException("no struct " + definition);
    }
    return struct;
  }

  public static boolean isBuiltIn(String definition) {
    return Loaded.BY_NAME.containsKey(definition);
  }

  public static StructShape objectMeta() {
    return struct(META + "ObjectMeta");
  }

  /** The struct of a kind, or null when the kind is not built in. */
  public static @Nullable StructShape of(GroupVersionKind kind) {
    var struct = Loaded.CONTENT.kinds().get(kind);
    return struct == null && (EVERYWHERE.contains(kind.kind()) || kind.group().equals(META_GROUP))
        ? Loaded.CONTENT.kinds().get(CORE.kind(kind.kind()))
        : struct;
  }

  public static Set<GroupVersionKind> kinds() {
    return Collections.unmodifiableSet(Loaded.CONTENT.kinds().keySet());
  }
}
