package dev.muster.server.options;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections to kubelets, and the permitted privileges of pods. */
@FlagGroup("Nodes and pods")
public record NodeOptions(
    @Flag(
            name = "allow-privileged",
            help =
                "Accept pods with privileged containers. Off unless it is given, as in"
                    + " kube-apiserver; muster up gives it.")
        boolean allowPrivileged,
    @Flag(
            name = "kubelet-certificate-authority",
            file = FileKind.CERTIFICATES,
            help =
                "PEM bundle that the serving certificates of kubelets are checked against. Unset:"
                    + " they are not checked, as in kube-apiserver.")
        @Nullable Path kubeletAuthorityFile,
    @Flag(
            name = "kubelet-client-certificate",
            file = FileKind.CERTIFICATES,
            help = "PEM file with the certificate that is shown to kubelets.")
        @Nullable Path kubeletCertificateFile,
    @Flag(
            name = "kubelet-client-key",
            file = FileKind.PRIVATE_KEY,
            keyOf = "kubelet-client-certificate",
            help = "PEM file with the key of that certificate.")
        @Nullable Path kubeletKeyFile,
    @Flag(
            name = "kubelet-preferred-address-types",
            help = "Which of a node's addresses its kubelet is reached at, the best first.")
        List<String> kubeletAddressTypes,
    @Flag(
            name = "kubelet-port",
            help = "The port of kubelets whose node does not say which they listen on.")
        int kubeletPort,
    @Flag(
            name = "egress-selector-config-file",
            file = FileKind.TEXT,
            help =
                "File with an EgressSelectorConfiguration: the proxies through which kubelets, pods"
                    + " and services (cluster), webhooks at a URL (controlplane) and etcd are"
                    + " reached. Unset: they are reached directly.")
        @Nullable Path egressFile)
    implements OptionGroup {

  public NodeOptions {
    FlagChecks.together(
        "kubelet-client-certificate", kubeletCertificateFile, "kubelet-client-key", kubeletKeyFile);
    kubeletAddressTypes = List.copyOf(kubeletAddressTypes);
    FlagChecks.between("kubelet-port", kubeletPort, 1, 65535);
  }

  public static NodeOptions defaults() {
    return new NodeOptions(
        false,
        null,
        null,
        null,
        List.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"),
        10250,
        null);
  }

  public NodeOptions withPrivileged(boolean allowed) {
    return new NodeOptions(
        allowed,
        kubeletAuthorityFile,
        kubeletCertificateFile,
        kubeletKeyFile,
        kubeletAddressTypes,
        kubeletPort,
        egressFile);
  }

  /** These options with TLS files for connections to kubelets. */
  public NodeOptions withKubeletFiles(
      @Nullable Path authority, @Nullable Path certificate, @Nullable Path key) {
    return new NodeOptions(
        allowPrivileged, authority, certificate, key, kubeletAddressTypes, kubeletPort, egressFile);
  }
}
