package dev.muster.server.options;

/** One of the groups that the options of a server are made of: there is one of each kind. */
public sealed interface OptionGroup
    permits ListenOptions,
        ServingOptions,
        RequestOptions,
        AuthenticationOptions,
        ServiceAccountOptions,
        AuthorizationOptions,
        AdmissionOptions,
        ApiOptions,
        ServiceOptions,
        NodeOptions,
        StorageOptions,
        ShutdownOptions,
        LoggingOptions,
        AuditOptions {}
