package dev.muster.server.options;

/** All options of one API server, in the order in which a request meets them. */
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

  /** The options without any flag. */
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

  /** These options, with the given groups replacing those of the same type. */
  public ApiServerOptions with(OptionGroup... others) {
    return new ApiServerOptions(
        chosen(ListenOptions.class, listen, others),
        chosen(ServingOptions.class, tls, others),
        chosen(RequestOptions.class, requests, others),
        chosen(AuthenticationOptions.class, authentication, others),
        chosen(ServiceAccountOptions.class, serviceAccounts, others),
        chosen(AuthorizationOptions.class, authorization, others),
        chosen(AdmissionOptions.class, admission, others),
        chosen(ApiOptions.class, api, others),
        chosen(ServiceOptions.class, services, others),
        chosen(NodeOptions.class, nodes, others),
        chosen(StorageOptions.class, storage, others),
        chosen(ShutdownOptions.class, shutdown, others),
        chosen(LoggingOptions.class, log, others),
        chosen(AuditOptions.class, audit, others));
  }

  private static <G> G chosen(Class<G> kind, G present, OptionGroup... others) {
    for (var other : others) {
      if (kind.isInstance(other)) {
        return kind.cast(other);
      }
    }
    return present;
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
