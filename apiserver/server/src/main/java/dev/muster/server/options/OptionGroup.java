package dev.muster.server.options;

/** One group of a server's options. A server has one group of each type. */
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
