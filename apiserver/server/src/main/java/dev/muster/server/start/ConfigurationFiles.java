package dev.muster.server.start;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.authentication.StaticTokens;
import dev.muster.authentication.webhook.KubeconfigClient;
import dev.muster.authorization.abac.AbacAuthorizer;
import dev.muster.authorization.modes.ConfigurationFile;
import dev.muster.model.FileProblems;
import dev.muster.model.validation.FieldError;
import dev.muster.pki.PemFiles;
import dev.muster.server.audit.AuditFiles;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.flags.FlagException;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.encrypted.config.EncryptionConfigurationException;
import dev.muster.store.encrypted.config.EncryptionConfigurationReader;
import dev.muster.store.encrypted.config.EncryptionConfigurationRules;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks all configuration files before the server starts, with the same readers that load them
 * later.
 */
public final class ConfigurationFiles {
  private interface Reader {
    void read(Path file) throws EncryptionConfigurationException;
  }

  private ConfigurationFiles() {}

  /**
   * @throws FlagException naming the first flag whose file cannot be used, the file and the reason
   */
  public static void check(ApiServerOptions options, InstantSource clock) {
    var authentication = options.authentication();
    var authorization = options.authorization();
    check("token-auth-file", authentication.tokenFile(), file -> StaticTokens.of(file, List.of()));
    check(
        "authentication-token-webhook-config-file",
        authentication.webhook().configFile(),
        file -> KubeconfigClient.of(file, "the token webhook", clock));
    check(
        "authorization-config",
        authorization.configFile(),
        file -> ConfigurationFile.parse(PemFiles.content(file)));
    check("authorization-policy-file", authorization.policyFile(), AbacAuthorizer::read);
    check(
        "authorization-webhook-config-file",
        authorization.webhookConfigFile(),
        file -> KubeconfigClient.of(file, "the authorization webhook", clock));
    check("audit-policy-file", options.audit().policyFile(), AuditFiles::checkPolicy);
    check(
        "audit-webhook-config-file",
        options.audit().webhook().configFile(),
        AuditFiles::checkWebhook);
    check(
        "admission-control-config-file",
        options.admission().configurationFile(),
        AdmissionConfiguration::read);
    check(
        "egress-selector-config-file",
        options.nodes().egressFile(),
        file -> new EgressSelector(EgressConfiguration.read(file)));
    check(
        "encryption-provider-config",
        options.storage().encryptionConfig(),
        file -> checkEncryption(file, options.storage().encryptionReload()));
  }

  /** Does not contact the KMS plugins that the file names: they may be slow. */
  private static void checkEncryption(Path file, boolean reload)
      throws EncryptionConfigurationException {
    var errors =
        EncryptionConfigurationRules.check(
            EncryptionConfigurationReader.read(PemFiles.content(file)), reload);
    if (!errors.isEmpty()) {
      throw new EncryptionConfigurationException(FieldError.join(errors));
    }
  }

  private static void check(String flag, @Nullable Path file, Reader reader) {
    if (file == null) {
      return;
    }
    try {
      reader.read(file);
    } catch (EncryptionConfigurationException e) {
      throw wrong(flag, file, e.text(), e);
    } catch (UncheckedIOException e) {
      throw wrong(flag, file, FileProblems.text(e), e);
    } catch (IllegalArgumentException e) {
      throw wrong(flag, file, String.valueOf(e.getMessage()), e);
    }
  }

  /** An error in one line that names flag and file once, whatever the reader's message contains. */
  private static FlagException wrong(String flag, Path file, String problem, Exception cause) {
    var prefix = "--" + flag + ": ";
    var bare = problem.startsWith(prefix) ? problem.substring(prefix.length()) : problem;
    var line = String.join("; ", bare.lines().map(String::strip).toList());
    return new FlagException(
        prefix + (line.contains(file.toString()) ? line : file + ": " + line), cause);
  }
}
