package dev.muster.admission.manifest;

import dev.muster.model.FileProblems;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.yaml.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The documents of all YAML and JSON files in a folder, in the order of file names.
 *
 * @param hash of the files' content, or "" when there is none
 */
record ManifestFolder(List<ManifestDocument> documents, String hash) {
  private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
  private static final Pattern SEPARATOR = Pattern.compile("(?m)^---[^\\n]*\\n?");

  /** A document and the file that contains it. */
  record ManifestDocument(Path file, Document document, JsonObject object) {}

  /**
   * @throws IllegalArgumentException when one of the files cannot be read
   */
  static ManifestFolder read(Path folder) {
    var documents = new ArrayList<ManifestDocument>();
    var digest = sha256();
    boolean holdsAnything = false;
    for (var file : files(folder)) {
      byte[] bytes;
      try {
        bytes = Files.readAllBytes(file);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "failed to read file %s: %s"
                .formatted(GoText.quote(file.toString()), FileProblems.text(file, e)),
            e);
      }
      if (bytes.length > 0) {
        holdsAnything = true;
        digest.update(bytes);
        digest.update((byte) 0);
        documents.addAll(split(file, bytes));
      }
    }
    return new ManifestFolder(
        List.copyOf(documents),
        holdsAnything ? "sha256:" + HexFormat.of().formatHex(digest.digest()) : "");
  }

  private static List<Path> files(Path folder) {
    try (var entries = Files.list(folder)) {
      return entries
          .filter(file -> ENDINGS.stream().anyMatch(end -> name(file).endsWith(end)))
          .filter(file -> !Files.isDirectory(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "failed to read manifest directory %s: %s".formatted(GoText.quote(folder.toString()), e),
          e);
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }

  private static List<ManifestDocument> split(Path file, byte[] bytes) {
    var found = new ArrayList<ManifestDocument>();
    for (var text : SEPARATOR.split(new String(bytes, StandardCharsets.UTF_8), -1)) {
      if (text.isBlank()) {
        continue;
      }
      try {
        var document = YamlReader.document(text.getBytes(StandardCharsets.UTF_8));
        switch (document.value()) {
          case JsonObject object -> found.add(new ManifestDocument(file, document, object));
          case JsonNull _ -> {}
          default -> throw ManifestReader.wrong(file, "not an object");
        }
      } catch (DecodeException e) {
        throw ManifestReader.wrong(file, e.text());
      }
    }
    return found;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
