package dev.muster.registry.rules.workloads;

import dev.muster.model.GoText;
import dev.muster.registry.rules.Place;
import java.util.ArrayList;
import java.util.List;

/** Warns about files of one volume that are in one another's way. */
final class OverlappingPaths {
  private OverlappingPaths() {}

  /** A path in a volume and where its file comes from. */
  private record Mapped(String path, String source) {
    static Mapped of(String path, String source) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return new Mapped(path.substring(0, end), source);
    }

    boolean overlaps(Mapped other) {
      return !path.isEmpty() && !other.path.isEmpty() && (isBelow(other) || other.isBelow(this));
    }

    /** Whether the other path is this one, or a directory that this one is in. */
    private boolean isBelow(Mapped other) {
      int length = other.path.length();
      return path.startsWith(other.path) && (path.length() == length || path.charAt(length) == '/');
    }

    @Override
    public String toString() {
      return source.isEmpty() ? GoText.quote(path) : GoText.quote(path) + " (" + source + ")";
    }
  }

  static void check(Place volume) {
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

  private static void check(Place volume, String kind, List<Mapped> paths) {
    for (int i = 0; i < paths.size(); i++) {
      for (var earlier : paths.subList(0, i)) {
        if (paths.get(i).overlaps(earlier)) {
          volume.warn(
              "volume "
                  + GoText.quote(volume.at("name").text())
                  + " ("
                  + kind
                  + "): overlapping paths: "
                  + paths.get(i)
                  + " with "
                  + earlier);
        }
      }
    }
  }

  private static List<Mapped> items(Place source, String name) {
    return source.at("items").items().stream()
        .map(item -> Mapped.of(item.at("path").text(), name))
        .toList();
  }

  private static List<Mapped> paths(Place source) {
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
