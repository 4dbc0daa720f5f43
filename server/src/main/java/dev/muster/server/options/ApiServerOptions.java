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
    LoggingOptions log,
    AuditOptions audit) {

  public ApiServerOptions {
    Advertised.check(listen, services);
  }

  /** Without an audit log. */
  public ApiServerOptions(
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
    this(
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
        storage,
        shutdown,
        log,
        AuditOptions.defaults());
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
        LoggingOptions.defaults(),
        AuditOptions.defaults());
  }

  /** These options with another group in the place of that of its kind. */
  private ApiServerOptions with(OptionGroup group) {
    return new ApiServerOptions(
        group instanceof ListenOptions other ? other : listen,
        group instanceof ServingOptions other ? other : tls,
        group instanceof RequestOptions other ? other : requests,
        group instanceof AuthenticationOptions other ? other : authentication,
        group instanceof ServiceAccountOptions other ? other : serviceAccounts,
        group instanceof AuthorizationOptions other ? other : authorization,
        group instanceof AdmissionOptions other ? other : admission,
        group instanceof ApiOptions other ? other : api,
        group instanceof ServiceOptions other ? other : services,
        group instanceof NodeOptions other ? other : nodes,
        group instanceof StorageOptions other ? other : storage,
        group instanceof ShutdownOptions other ? other : shutdown,
        group instanceof LoggingOptions other ? other : log,
        group instanceof AuditOptions other ? other : audit);
  }

  public ApiServerOptions withListen(ListenOptions other) {
    return with(other);
  }

  public ApiServerOptions withAuthentication(AuthenticationOptions other) {
    return with(other);
  }

  public ApiServerOptions withAuthorization(AuthorizationOptions other) {
    return with(other);
  }

  public ApiServerOptions withAdmission(AdmissionOptions other) {
    return with(other);
  }

  public ApiServerOptions withNodes(NodeOptions other) {
    return with(other);
  }

  public ApiServerOptions withApi(ApiOptions other) {
    return with(other);
  }

  public ApiServerOptions withAudit(AuditOptions other) {
    return with(other);
  }

  public ApiServerOptions withStorage(StorageOptions other) {
    return with(other);
  }

  public ApiServerOptions withRequests(RequestOptions other) {
    return with(other);
  }
}
