package dev.muster.server.egress;

import dev.muster.model.FileProblems;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The EgressSelectorConfiguration of {@code --egress-selector-config-file}. Unknown fields are
 * rejected, with the messages of kube-apiserver where it has any.
 */
public record EgressConfiguration(Map<EgressType, EgressConnection> selections) {
  /** Connects everything directly. */
  public static final EgressConfiguration NONE = new EgressConfiguration(Map.of());

  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "EgressSelectorConfiguration",
          Set.of(
              "apiserver.k8s.io/v1beta1",
              "apiserver.k8s.io/v1alpha1",
              "apiserver.config.k8s.io/v1beta1",
              "apiserver.config.k8s.io/v1alpha1"));

  /** The name of {@code controlplane} in files of old clusters. */
  private static final String FORMER_CONTROLPLANE = "master";

  private static final int HTTPS = 443;
  private static final int HTTP = 80;

  public EgressConfiguration {
    selections = Map.copyOf(selections);
  }

  /**
   * @param file null for none
   * @throws IllegalArgumentException with the problem
   */
  public static EgressConfiguration read(@Nullable Path file) {
    if (file == null) {
      return NONE;
    }
    try {
      return of(Files.readAllBytes(file));
    } catch (IOException e) {
      throw wrong("unable to read egress selector configuration: " + FileProblems.text(file, e));
    } catch (DecodeException e) {
      throw wrong(file + ": " + e.text());
    }
  }

  static EgressConfiguration of(byte[] text) throws DecodeException {
    if (!(YamlReader.readStrictly(text) instanceof JsonObject document)) {
      throw wrong("the file holds no object");
    }
    try {
      KIND.check(document, ConfigurationKind.shown(document));
    } catch (DecodeException e) {
      throw wrong(e.text());
    }
    only(document, "", Set.of("apiVersion", "kind", "egressSelections"));
    var selections = new EnumMap<EgressType, EgressConnection>(EgressType.class);
    int index = 0;
    for (var selection : document.array("egressSelections").objects()) {
      only(selection, "egressSelections[" + index + "]", Set.of("name", "connection"));
      var given = selection.string("name");
      var name =
          given.equals(FORMER_CONTROLPLANE) ? "controlplane" : given.toLowerCase(Locale.ROOT);
      var connection = connection(selection.object("connection"));
      var type = type(name);
      if (selections.putIfAbsent(type, connection) != null) {
        throw wrong("service.connection[" + index + "]: Duplicate value: " + GoText.quote(name));
      }
      index++;
    }
    return new EgressConfiguration(selections);
  }

  private static EgressType type(String name) {
    for (var type : EgressType.values()) {
      if (type.spelling().equals(name)) {
        return type;
      }
    }
    throw wrong(
        "service.connection: Unsupported value: %s: supported values: \"cluster\","
                .formatted(GoText.quote(name))
            + " \"controlplane\", \"etcd\"");
  }

  private static EgressConnection connection(JsonObject connection) {
    only(connection, "connection", Set.of("proxyProtocol", "transport"));
    var transport = connection.object("transport");
    boolean present = connection.get("transport") instanceof JsonObject;
    only(transport, "transport", Set.of("tcp", "uds"));
    var protocol = connection.string("proxyProtocol");
    return switch (protocol) {
      case "Direct" -> {
        if (present) {
          throw invalid("transport", "direct", "config must be absent for direct connect");
        }
        yield new EgressConnection.Direct();
      }
      case "HTTPConnect" -> {
        if (!present) {
          throw required("transport", "transport must be set for HTTPConnect");
        }
        yield new EgressConnection.HttpConnect(proxy(transport));
      }
      case "GRPC" -> {
        if (!present) {
          throw required("transport", "transport must be set for GRPC");
        }
        if (!transport.has("uds") || transport.has("tcp")) {
          throw required("uds", "UDS must be set with GRPC");
        }
        yield new EgressConnection.Grpc(socket(transport.object("uds")));
      }
      default ->
          throw wrong(
              "service.connection.protocol: Unsupported value: %s: supported values: \"Direct\","
                      .formatted(GoText.quote(protocol))
                  + " \"GRPC\", \"HTTPConnect\"");
    };
  }

  private static EgressConnection.Proxy proxy(JsonObject transport) {
    if (transport.has("tcp") && transport.has("uds")) {
      throw invalid("tcp", "", "TCP and UDS cannot both be set");
    }
    if (transport.has("uds")) {
      return new EgressConnection.Uds(socket(transport.object("uds")));
    }
    if (!transport.has("tcp")) {
      throw required("tcp", "One of TCP or UDS must be set");
    }
    var tcp = transport.object("tcp");
    only(tcp, "tcp", Set.of("url", "tlsConfig"));
    var url = tcp.string("url");
    boolean encrypted = url.startsWith("https://");
    if (!encrypted && !url.startsWith("http://")) {
      throw invalid("url", url, "supported connection protocols are http:// and https://");
    }
    if (!encrypted && tcp.has("tlsConfig")) {
      throw invalid("tlsConfig", "nil", "config must not be present when using HTTP");
    }
    var uri = uri(url);
    int usual = encrypted ? HTTPS : HTTP;
    return new EgressConnection.Tcp(
        uri.getHost().replaceAll("^\\[|\\]$", ""),
        uri.getPort() < 0 ? usual : uri.getPort(),
        encrypted ? tls(tcp) : null);
  }

  private static URI uri(String url) {
    try {
      var uri = URI.create(url);
      if (uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw wrong("invalid proxy server url " + GoText.quote(url) + ": " + e.getMessage());
    }
    throw wrong("invalid proxy server url " + GoText.quote(url) + ": no host");
  }

  private static EgressConnection.TlsFiles tls(JsonObject tcp) {
    if (!(tcp.get("tlsConfig") instanceof JsonObject tls)) {
      throw required("tlsConfig", "TLSConfig must be present when using HTTPS");
    }
    only(tls, "tlsConfig", Set.of("caBundle", "clientKey", "clientCert", "tlsServerName"));
    var authorities = tls.string("caBundle");
    if (!authorities.isEmpty()) {
      file(tls, "caBundle", "", "TLS config ca bundle does not exist");
    }
    return new EgressConnection.TlsFiles(
        authorities.isEmpty() ? null : Path.of(authorities),
        file(tls, "clientCert", "Using TLS requires clientCert", "TLS client cert does not exist"),
        file(tls, "clientKey", "Using TLS requires clientKey", "TLS client key does not exist"),
        tls.string("tlsServerName"));
  }

  private static Path file(JsonObject tls, String field, String unset, String absent) {
    var name = tls.string(field);
    if (name.isEmpty()) {
      throw invalid("tlsConfig." + field, "nil", unset);
    }
    if (!Files.exists(Path.of(name))) {
      throw invalid("tlsConfig." + field, name, absent);
    }
    return Path.of(name);
  }

  private static Path socket(JsonObject uds) {
    only(uds, "uds", Set.of("udsName"));
    if (uds.string("udsName").isEmpty()) {
      throw invalid("udsName", "nil", "must be present for UDS connections");
    }
    return Path.of(uds.string("udsName"));
  }

  private static void only(JsonObject object, String where, Set<String> known) {
    for (int i = 0; i < object.size(); i++) {
      var key = object.key(i);
      if (!known.contains(key)) {
        var path = where.isEmpty() ? key : where + "." + key;
        throw wrong("strict decoding error: unknown field " + GoText.quote(path));
      }
      boolean text =
          !List.of("egressSelections", "connection", "transport", "tcp", "uds", "tlsConfig")
              .contains(key);
      if (text && !(object.get(key) instanceof JsonString)) {
        throw wrong(GoText.quote(key) + " must be a string");
      }
    }
  }

  private static IllegalArgumentException required(String field, String why) {
    return wrong("service.connection." + field + ": Required value: " + why);
  }

  private static IllegalArgumentException invalid(String field, String value, String why) {
    return wrong(
        "service.connection." + field + ": Invalid value: " + GoText.quote(value) + ": " + why);
  }

  private static IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException("--egress-selector-config-file: " + problem);
  }
}
