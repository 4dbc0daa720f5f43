package dev.muster.server;

import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.LogOptions;
import dev.muster.server.options.RequestOptions;
import dev.muster.server.options.ServiceAccountOptions;
import dev.muster.server.options.ServiceOptions;
import dev.muster.server.options.ShutdownOptions;
import dev.muster.server.options.StorageOptions;
import dev.muster.server.options.TlsOptions;

/** Everything that an operator can set for one API server, in the order of a request's way. */
public record ApiServerOptions(
    ListenOptions listen,
    TlsOptions tls,
    RequestOptions requests,
    AuthenticationOptions authentication,
    ServiceAccountOptions serviceAccounts,
    AuthorizationOptions authorization,
    AdmissionOptions admission,
    ApiOptions api,
    ServiceOptions services,
    StorageOptions storage,
    ShutdownOptions shutdown,
    LogOptions log) {

  public ApiServerOptions {
    Advertised.check(listen, services);
  }

  /** What holds when no flag is given. */
  public static ApiServerOptions defaults() {
    return new ApiServerOptions(
        ListenOptions.defaults(),
        TlsOptions.defaults(),
        RequestOptions.defaults(),
        AuthenticationOptions.defaults(),
        ServiceAccountOptions.defaults(),
        AuthorizationOptions.defaults(),
        AdmissionOptions.defaults(),
        ApiOptions.defaults(),
        ServiceOptions.defaults(),
        StorageOptions.defaults(),
        ShutdownOptions.defaults(),
        LogOptions.defaults());
  }

  public ApiServerOptions withListen(ListenOptions listen) {
    return new ApiServerOptions(
        listen,
        tls,
        requests,
        authentication,
        serviceAccounts,
        authorization,
        admission,
        api,
        services,
        storage,
        shutdown,
        log);
  }
}
