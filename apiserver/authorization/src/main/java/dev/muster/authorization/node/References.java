package dev.muster.authorization.node;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What an object refers to, as lines of a letter and a name. Depends on the object alone: it is
 * made when somebody asks for the first time and kept with that revision of the object, so that
 * nothing has to be built, followed or thrown away when others change.
 */
final class References implements Form {
  /** Beside protobuf and the two of selectable fields. */
  private static final int SLOT = 3;

  /** The references of pods, all in their own namespaces but the node. */
  static final References OF_PODS = new References(PodReferences::visit);

  /** The references of persistent volumes, with namespaces. */
  static final References OF_VOLUMES = new References(VolumeReferences::visit);

  /** The node of an object that has one in its spec, and nothing else. */
  static final References OF_NODE =
      new References(
          (object, found) -> found.accept(Kind.NODE, object.object("spec").string("nodeName")));

  /** What is referred to. */
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
          // No object has such a name; a line of it could look like two.
          if (!name.isEmpty() && name.indexOf('\n') < 0) {
            lines.append(kind.letter).append(name).append('\n');
          }
        });
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A reference as {@link #has} looks for it; made once for a walk along many objects. */
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
