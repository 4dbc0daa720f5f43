package dev.muster.authorization.node;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The references of an object, as lines of a letter and a name. They depend on the object alone,
 * are computed on first use and kept with that revision of the object, so no shared structure has
 * to be maintained.
 */
final class References implements Form {
  /** The form slots before this one belong to protobuf and the two selectable-field forms. */
  private static final int SLOT = 3;

  /** The references of pods: names in the pod's namespace, and the node. */
  static final References OF_PODS = new References(PodReferences::visit);

  /** The references of persistent volumes, with namespaces. */
  static final References OF_VOLUMES = new References(VolumeReferences::visit);

  /** The node name in the spec of an object, and nothing else. */
  static final References OF_NODE =
      new References(
          (object, found) -> found.accept(Kind.NODE, object.object("spec").string("nodeName")));

  /** The kind of the referenced object. */
  enum Kind {
    NODE('n'),
    SECRET('s'),
    CONFIG_MAP('c'),
    CLAIM('v'),
    RESOURCE_CLAIM('r'),
    SERVICE_ACCOUNT('a');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }
  }

  /** Finds the references of an object. */
  interface Visit {
    void visit(JsonObject object, BiConsumer<Kind, String> found);
  }

  private final Visit visit;

  References(Visit visit) {
    this.visit = visit;
  }

  @Override
  public int slot() {
    return SLOT;
  }

  @Override
  public byte[] encode(StoredObject object) {
    var lines = new StringBuilder("\n");
    visit.visit(
        object.tree(),
        (kind, name) -> {
          // A name with a line end cannot exist, and its line could look like two references.
          if (!name.isEmpty() && name.indexOf('\n') < 0) {
            lines.append(kind.letter).append(name).append('\n');
          }
        });
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A reference in the form that {@link #has} compares; computed once for many objects. */
  static byte[] line(Kind kind, String name) {
    return ("\n" + kind.letter + name + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Whether an object has that reference. */
  boolean has(StoredObject object, byte[] line) {
    var lines = object.form(this);
    int last = lines.length - line.length;
    for (int i = 0; i <= last; i++) {
      if (lines[i] == '\n' && Arrays.equals(lines, i, i + line.length, line, 0, line.length)) {
        return true;
      }
    }
    return false;
  }

  /** The names of all references of one kind. */
  Iterable<String> all(StoredObject object, Kind kind) {
    var lines = new String(object.form(this), StandardCharsets.UTF_8);
    return lines.indexOf("\n" + kind.letter) < 0
        ? List.of()
        : lines
            .lines()
            .filter(line -> !line.isEmpty() && line.charAt(0) == kind.letter)
            .map(line -> line.substring(1))
            .toList();
  }
}
