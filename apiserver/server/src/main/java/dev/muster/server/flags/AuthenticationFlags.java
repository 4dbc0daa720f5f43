package dev.muster.server.flags;

import dev.muster.authentication.jwt.AuthenticationConfiguration;
import dev.muster.authentication.jwt.JwtConfigurationReader;
import dev.muster.authentication.jwt.JwtConfigurationRules;
import dev.muster.model.validation.FieldError;
import dev.muster.pki.PemFiles;
import dev.muster.server.options.ApiServerOptions;
import java.nio.file.Path;
import java.util.Map;

/**
 * Checks the flags of authentication together, and the configuration file that one of them names.
 */
final class AuthenticationFlags {
  private AuthenticationFlags() {}

  /**
   * @param given the flags by name
   * @throws FlagException when they contradict one another
   */
  static void check(Map<String, ?> given, ApiServerOptions options) {
    var authentication = options.authentication();
    var file = authentication.configurationFile();
    if (given.keySet().stream().anyMatch(name -> name.startsWith("oidc-"))) {
      if (file != null) {
        throw new FlagException(
            "--authentication-config: authentication-config file and oidc-* flags are mutually"
                + " exclusive");
      }
      if (!authentication.oidc().isGiven()) {
        throw new FlagException(
            "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags"
                + " are set");
      }
    }
    if (file != null) {
      var configuration = read(file);
      var problems =
          JwtConfigurationRules.problems(configuration, options.serviceAccounts().issuers());
      if (!problems.isEmpty()) {
        throw new FlagException(
            "--authentication-config: invalid authentication configuration: "
                + FieldError.join(problems));
      }
      if (configuration.anonymous() != null && given.containsKey("anonymous-auth")) {
        throw new FlagException(
            "--anonymous-auth: anonymous: Forbidden: --anonymous-auth flag cannot be set when"
                + " anonymous field is configured in authentication configuration file");
      }
    }
  }

  private static AuthenticationConfiguration read(Path file) {
    try {
      return JwtConfigurationReader.read(PemFiles.content(file));
    } catch (IllegalArgumentException e) {
      throw new FlagException(
          "--authentication-config: failed to load authentication configuration from file \""
              + file
              + "\": "
              + e.getMessage(),
          e);
    }
  }
}
