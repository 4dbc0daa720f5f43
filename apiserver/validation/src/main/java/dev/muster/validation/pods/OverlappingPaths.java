package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Warns about files of one volume whose paths conflict. */
final class OverlappingPaths {
  private OverlappingPaths() {}

  /** A path in a volume and the source of its file. */
  private record Mapped(String path, String source) {
    static Mapped of(String path, String source) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return new Mapped(path.substring(0, end), source);
    }

    /** The path as a prefix of the paths below it. */
    String prefix() {
      return path + "/";
    }

    @Override
    public String toString() {
      return source.isEmpty() ? GoText.quote(path) : GoText.quote(path) + " (" + source + ")";
    }
  }

  /** The paths so far, by their prefixes and in their order. */
  private static final class Known {
    private final TreeMap<String, Map<Mapped, Integer>> paths = new TreeMap<>();

    /** Hashes of prefixes, for a cheap check that a path has none of them. */
    private final Set<Integer> hashes = new HashSet<>();

    private int size;

    /** The paths above, below or equal to this path, in their order. */
    List<Mapped> overlapping(Mapped mapped) {
      var found = new ArrayList<Map.Entry<Mapped, Integer>>();
      var prefix = mapped.prefix();
      int hash = 0;
      for (int i = 0; i < prefix.length(); i++) {
        hash = 31 * hash + prefix.charAt(i);
        if (prefix.charAt(i) == '/' && hashes.contains(hash)) {
          found.addAll(paths.getOrDefault(prefix.substring(0, i + 1), Map.of()).entrySet());
        }
      }
      for (var below : paths.tailMap(prefix, false).entrySet()) {
        if (!below.getKey().startsWith(prefix)) {
          break;
        }
        found.addAll(below.getValue().entrySet());
      }
      found.sort(Map.Entry.comparingByValue());
      return found.stream().map(Map.Entry::getKey).toList();
    }

    void add(Mapped mapped) {
      paths
          .computeIfAbsent(mapped.prefix(), ignored -> new HashMap<>())
          .putIfAbsent(mapped, size++);
      hashes.add(mapped.prefix().hashCode());
    }
  }

  static void check(FieldCursor volume) {
    check(
        volume,
        "ConfigMap " + GoText.quote(volume.at("configMap", "name").text()),
        items(volume.at("configMap"), ""));
    check(
        volume,
        "Secret " + GoText.quote(volume.at("secret", "secretName").text()),
        items(volume.at("secret"), ""));
    check(volume, "DownwardAPI", items(volume.at("downwardAPI"), ""));
    var projected = new ArrayList<Mapped>();
    for (var source : volume.at("projected", "sources").items()) {
      if (source.isEmpty()) {
        volume.warn(
            "volume "
                + GoText.quote(volume.at("name").text())
                + " (Projected) has no sources provided");
      }
      projected.addAll(paths(source));
    }
    check(volume, "Projected", projected);
  }

  private static void check(FieldCursor volume, String kind, List<Mapped> paths) {
    var known = new Known();
    for (var path : paths) {
      if (!path.path().isEmpty()) {
        for (var earlier : known.overlapping(path)) {
          volume.warn(
              "volume "
                  + GoText.quote(volume.at("name").text())
                  + " ("
                  + kind
                  + "): overlapping paths: "
                  + path
                  + " with "
                  + earlier);
        }
        known.add(path);
      }
    }
  }

  private static List<Mapped> items(FieldCursor source, String name) {
    return source.at("items").items().stream()
        .map(item -> Mapped.of(item.at("path").text(), name))
        .toList();
  }

  private static List<Mapped> paths(FieldCursor source) {
    for (var kind : List.of("configMap", "secret", "downwardAPI")) {
      if (source.at(kind).has("items")) {
        var title = kind.equals("configMap") ? "ConfigMap" : "Secret";
        return items(
            source.at(kind),
            kind.equals("downwardAPI")
                ? "DownwardAPI"
                : title + " " + GoText.quote(source.at(kind, "name").text()));
      }
    }
    if (source.has("serviceAccountToken")) {
      return List.of(
          Mapped.of(source.at("serviceAccountToken", "path").text(), "ServiceAccountToken"));
    }
    if (source.has("clusterTrustBundle")) {
      var bundle = source.at("clusterTrustBundle");
      var name = bundle.at(bundle.has("name") ? "name" : "signerName").text();
      return List.of(
          Mapped.of(bundle.at("path").text(), "ClusterTrustBundle " + GoText.quote(name)));
    }
    var certificate = source.at("podCertificate");
    return List.of(
        Mapped.of(certificate.at("certificateChainPath").text(), "PodCertificate chain"),
        Mapped.of(certificate.at("keyPath").text(), "PodCertificate key"),
        Mapped.of(
            certificate.at("credentialBundlePath").text(), "PodCertificate credential bundle"));
  }
}
