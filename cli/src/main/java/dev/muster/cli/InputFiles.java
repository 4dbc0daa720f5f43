package dev.muster.cli;

import dev.muster.fleet.FleetOptions;
import dev.muster.server.flags.FlagException;
import dev.muster.server.options.ApiServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files that flags name, looked at before anything starts. */
final class InputFiles {
  private InputFiles() {}

  /**
   * @throws FlagException naming the first flag whose file cannot be read
   */
  static void check(ApiServerOptions options, FleetOptions fleet) {
    check("peer-ca-file", fleet.peers().authorities());
    check("tls-cert-file", options.tls().certificateFile());
    check("tls-private-key-file", options.tls().privateKeyFile());
    check("client-ca-file", options.authentication().clientCaFile());
    check("requestheader-client-ca-file", options.authentication().requestHeaders().clientCaFile());
    check("token-auth-file", options.authentication().tokenFile());
    check("authentication-config", options.authentication().configurationFile());
    check("oidc-ca-file", options.authentication().oidc().authorityFile());
    check(
        "authentication-token-webhook-config-file",
        options.authentication().webhook().configFile());
    check("authorization-config", options.authorization().configFile());
    check("authorization-policy-file", options.authorization().policyFile());
    check("authorization-webhook-config-file", options.authorization().webhookConfigFile());
    check("audit-policy-file", options.audit().policyFile());
    check("audit-webhook-config-file", options.audit().webhook().configFile());
    check("encryption-provider-config", options.storage().encryptionConfig());
    check("service-account-signing-key-file", options.serviceAccounts().signingKeyFile());
    for (var file : options.serviceAccounts().keyFiles()) {
      check("service-account-key-file", file);
    }
    check("egress-selector-config-file", options.nodes().egressFile());
    for (var named : options.tls().sniCertKeys()) {
      check("tls-sni-cert-key", named.certificateFile());
      check("tls-sni-cert-key", named.keyFile());
    }
    check("kubelet-certificate-authority", options.nodes().kubeletAuthorityFile());
    check("kubelet-client-certificate", options.nodes().kubeletCertificateFile());
    check("kubelet-client-key", options.nodes().kubeletKeyFile());
    check("proxy-client-cert-file", options.api().aggregator().clientCertificateFile());
    check("proxy-client-key-file", options.api().aggregator().clientKeyFile());
  }

  private static void check(String flag, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      var problem = Files.exists(file) ? " cannot be read" : " does not exist";
      throw new FlagException("--" + flag + ": " + file + problem);
    }
  }
}
