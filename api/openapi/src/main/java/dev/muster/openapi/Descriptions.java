package dev.muster.openapi;

import dev.muster.schema.MusterTypes;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What the Kubernetes client's model and our own say about types and fields. Immutable. */
final class Descriptions {
  private static volatile SoftReference<Descriptions> remembered = new SoftReference<>(null);

  private static final String SERVICES = "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.";

  /** What the client's model leaves without a word. */
  private static final Map<String, String> MISSING =
      Map.of(
          "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus",
          "Serves the status of custom resources at a path of its own; it has no fields.",
          SERVICES + "APIService.metadata",
          "The metadata that every object has.",
          SERVICES + "APIService.spec",
          "Which server answers for a group and version, and how it is found and trusted.",
          SERVICES + "APIService.status",
          "Whether that server can be reached, as far as this one knows.",
          SERVICES + "APIServiceList.metadata",
          "The metadata that every list has.",
          SERVICES + "APIServiceSpec.service",
          "The Service that stands for the server; without one, this server answers itself.");

  private record Texts(String struct, String[] fields) {}

  private final Map<String, Texts> known;

  private Descriptions(Map<String, Texts> known) {
    this.known = known;
  }

  /** What the file says that the build holds; kept while memory allows. */
  static Descriptions remembered() {
    var known = remembered.get();
    return known == null ? loadedOnce() : known;
  }

  private static synchronized Descriptions loadedOnce() {
    var known = remembered.get();
    if (known == null) {
      known = load();
      remembered = new SoftReference<>(known);
    }
    return known;
  }

  private static Descriptions load() {
    try (var resource = Schemas.class.getResourceAsStream("descriptions.bin")) {
      if (resource == null) {
        throw new IllegalStateException("the descriptions are missing from this build");
      }
      var in = new DataInputStream(new ByteArrayInputStream(resource.readAllBytes()));
      var known = new HashMap<String, Texts>();
      for (int i = in.readUnsignedShort(); i > 0; i--) {
        var name = text(in);
        var struct = text(in);
        var fields = new String[in.readUnsignedShort()];
        for (int j = 0; j < fields.length; j++) {
          fields[j] = text(in);
        }
        known.put(name, new Texts(struct, fields));
      }
      addOwn(known);
      return new Descriptions(known);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the descriptions", e);
    }
  }

  private static void addOwn(Map<String, Texts> known) {
    var definitions = MusterTypes.definitions();
    for (var name : definitions.keys()) {
      var definition = definitions.object(name);
      var properties = definition.object("properties");
      var fields =
          properties.keys().stream().map(key -> properties.object(key).string("description"));
      known.put(name, new Texts(definition.string("description"), fields.toArray(String[]::new)));
    }
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
  }

  /** The description of a struct, "" when it has none. */
  String of(StructShape struct) {
    var texts = known.get(struct.name());
    return texts == null || texts.struct().isEmpty()
        ? MISSING.getOrDefault(struct.name(), "")
        : texts.struct();
  }

  /** The description of the field at that position, "" when it has none. */
  String of(StructShape struct, int position) {
    var texts = known.get(struct.name());
    return texts == null || position >= texts.fields().length || texts.fields()[position].isEmpty()
        ? MISSING.getOrDefault(struct.name() + "." + struct.field(position).name(), "")
        : texts.fields()[position];
  }
}
