import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Run by the build: writes which libraries of others are in a folder of jars, by which licences,
 * and the texts about that which the jars carry. Fails for a jar whose licence is not known.
 */
final class ThirdParty {
  private static final String OWN = "dev.muster";

  /** Of texts at these places in a jar, those about licences count. */
  private static final Set<String> NAMES = Set.of("LICENSE", "LICENCE", "NOTICE", "COPYING");

  private ThirdParty() {}

  /**
   * @param arguments the bill of materials, the folder of jars, and the folder for the results
   */
  public static void main(String[] arguments) throws IOException {
    var bom = (JsonObject) JsonReader.read(Files.readAllBytes(Path.of(arguments[0])));
    var components = new TreeMap<String, JsonObject>();
    for (var component : bom.array("components").objects()) {
      components.put(fileName(component), component);
    }
    var texts = Path.of(arguments[2], "licenses");
    removeAll(texts);
    var lines = new ArrayList<String>();
    lines.add(
        "Muster is distributed with these libraries. What their jars say about their licences");
    lines.add("is in the folder licenses; bom.json lists them for programs (CycloneDX).");
    lines.add("");
    try (var jars = Files.list(Path.of(arguments[1]))) {
      for (var jar : jars.sorted().toList()) {
        var name = jar.getFileName().toString();
        var component = components.get(name);
        if (component == null) {
          throw new IllegalStateException(name + " is not in the bill of materials");
        }
        if (!component.string("group").equals(OWN)) {
          lines.add(line(name, component, copyTexts(jar, texts.resolve(bare(name)))));
        }
      }
    }
    Files.write(Path.of(arguments[2], "THIRD-PARTY.txt"), lines);
  }

  /** As Maven names the jar, with the classifier that the package's URL tells. */
  private static String fileName(JsonObject component) {
    var url = component.string("purl");
    int at = url.indexOf("classifier=");
    var classifier = at < 0 ? "" : "-" + url.substring(at + 11).replaceFirst("&.*", "");
    return component.string("name") + "-" + component.string("version") + classifier + ".jar";
  }

  private static String line(String jar, JsonObject component, int texts) {
    var licences = new LinkedHashSet<String>();
    for (var each : component.array("licenses").objects()) {
      var licence = each.object("license");
      for (var text :
          List.of(licence.string("id"), licence.string("name"), each.string("expression"))) {
        if (!text.isEmpty()) {
          licences.add(text);
        }
      }
    }
    if (licences.isEmpty()) {
      throw new IllegalStateException("the licence of " + jar + " is not known");
    }
    return "%s (%s:%s): %s%s"
        .formatted(
            jar,
            component.string("group"),
            component.string("name"),
            String.join(", ", licences),
            texts == 0 ? "" : "; licenses/" + bare(jar));
  }

  private static String bare(String jar) {
    return jar.substring(0, jar.length() - ".jar".length());
  }

  private static int copyTexts(Path jar, Path folder) throws IOException {
    try (var zip = new ZipFile(jar.toFile())) {
      var found =
          zip.stream()
              .filter(entry -> !entry.isDirectory() && isText(entry.getName()))
              .sorted(Comparator.comparing(ZipEntry::getName))
              .collect(Collectors.toList());
      for (var entry : found) {
        Files.createDirectories(folder);
        try (var in = zip.getInputStream(entry)) {
          Files.write(
              folder.resolve(entry.getName().replace("META-INF/", "").replace('/', '_')),
              in.readAllBytes());
        }
      }
      return found.size();
    }
  }

  private static boolean isText(String entry) {
    var name = entry.substring(entry.lastIndexOf('/') + 1).toUpperCase(Locale.ROOT);
    boolean near = entry.startsWith("META-INF/") || !entry.contains("/");
    return near && NAMES.stream().anyMatch(name::startsWith) && !name.endsWith(".CLASS");
  }

  private static void removeAll(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
