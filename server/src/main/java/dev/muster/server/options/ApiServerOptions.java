package dev.muster.server.options;

/** Everything that an operator can set for one API server, in the order of a request's way. */
public record ApiServerOptions(
    ListenOptions listen,
    ServingOptions tls,
    RequestOptions requests,
    AuthenticationOptions authentication,
    ServiceAccountOptions serviceAccounts,
    AuthorizationOptions authorization,
    AdmissionOptions admission,
    ApiOptions api,
    ServiceOptions services,
    NodeOptions nodes,
    StorageOptions storage,
    ShutdownOptions shutdown,
    LoggingOptions log) {

  public ApiServerOptions {
    Advertised.check(listen, services);
  }

  /** What holds when no flag is given. */
  public static ApiServerOptions defaults() {
    return new ApiServerOptions(
        ListenOptions.defaults(),
        ServingOptions.defaults(),
        RequestOptions.defaults(),
        AuthenticationOptions.defaults(),
        ServiceAccountOptions.defaults(),
        AuthorizationOptions.defaults(),
        AdmissionOptions.defaults(),
        ApiOptions.defaults(),
        ServiceOptions.defaults(),
        NodeOptions.defaults(),
        StorageOptions.defaults(),
        ShutdownOptions.defaults(),
        LoggingOptions.defaults());
  }

  public ApiServerOptions withListen(ListenOptions other) {
    return new ApiServerOptions(
        other,
        tls,
        requests,
        authentication,
        serviceAccounts,
        authorization,
        admission,
        api,
        services,
        nodes,
        storage,
        shutdown,
        log);
  }

  public ApiServerOptions withAuthentication(AuthenticationOptions other) {
    return new ApiServerOptions(
        listen,
        tls,
        requests,
        other,
        serviceAccounts,
        authorization,
        admission,
        api,
        services,
        nodes,
        storage,
        shutdown,
        log);
  }

  public ApiServerOptions withAuthorization(AuthorizationOptions other) {
    return new ApiServerOptions(
        listen,
        tls,
        requests,
        authentication,
        serviceAccounts,
        other,
        admission,
        api,
        services,
        nodes,
        storage,
        shutdown,
        log);
  }

  public ApiServerOptions withNodes(NodeOptions other) {
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
        other,
        storage,
        shutdown,
        log);
  }

  public ApiServerOptions withApi(ApiOptions other) {
    return new ApiServerOptions(
        listen,
        tls,
        requests,
        authentication,
        serviceAccounts,
        authorization,
        admission,
        other,
        services,
        nodes,
        storage,
        shutdown,
        log);
  }

  public ApiServerOptions withStorage(StorageOptions other) {
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
        nodes,
        other,
        shutdown,
        log);
  }
}
