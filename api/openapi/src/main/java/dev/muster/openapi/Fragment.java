package dev.muster.openapi;

import dev.muster.schema.ResourceType;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A part of a document, written already: paths and definitions, members of the objects that hold
 * all of them. What a custom resource adds depends on its definition alone, so that it is written
 * once, whatever becomes of others. Immutable.
 */
public final class Fragment {
  /** How documents are written. */
  enum Form {
    JSON,
    PROTOBUF;

    byte[] paths(Paths paths, Bytes paper) {
      if (this == PROTOBUF) {
        return OpenApiProtobuf.paths(paths.all());
      }
      paper.clear();
      new JsonWriter(paper).write(paths.all());
      return members(paper);
    }

    byte[] definitions(Definitions definitions, Bytes paper) {
      if (this == PROTOBUF) {
        return OpenApiProtobuf.definitions(definitions.all());
      }
      paper.clear();
      definitions.write(paper);
      return members(paper);
    }

    /** An object's members without its braces. */
    private static byte[] members(Bytes object) {
      return Arrays.copyOfRange(object.buffer(), 1, object.size() - 1);
    }
  }

  private final byte[] paths;
  private final byte[] definitions;
  private final Set<String> shared;

  private Fragment(byte[] paths, byte[] definitions, Set<String> shared) {
    this.paths = paths;
    this.definitions = definitions;
    this.shared = shared;
  }

  /**
   * What was collected.
   *
   * @param paper to write on, which fragments share one after the other
   */
  static Fragment of(Paths paths, Definitions definitions, Form form, Bytes paper) {
    return new Fragment(
        form.paths(paths, paper), form.definitions(definitions, paper), definitions.shared());
  }

  /** What one custom resource adds. */
  static Fragment of(ResourceType type, Dialect dialect, Form form, Bytes paper) {
    var definitions = Definitions.ofCustom(dialect, form, type);
    var paths = new Paths(dialect, definitions);
    paths.resource(type);
    return of(paths, definitions, form, paper);
  }

  byte[] paths() {
    return paths;
  }

  byte[] definitions() {
    return definitions;
  }

  /** The definitions of others that these refer to, by their names. */
  static Set<String> shared(List<Fragment> fragments) {
    var all = new TreeSet<String>();
    fragments.forEach(fragment -> all.addAll(fragment.shared));
    return all;
  }
}
