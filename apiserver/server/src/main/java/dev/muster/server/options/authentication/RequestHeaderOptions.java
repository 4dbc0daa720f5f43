package dev.muster.server.options.authentication;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The CA of front proxies, and the headers in which they state the user. Aggregated API servers
 * read the same settings from the ConfigMap extension-apiserver-authentication.
 */
@FlagGroup("Request headers of proxies, also published for API servers behind this one")
public record RequestHeaderOptions(
    @Flag(
            name = "requestheader-client-ca-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM bundle of the authorities that sign the certificates of proxies whose headers"
                    + " say who the user is. Unset: nobody is believed, and nothing about request"
                    + " headers is published.")
        @Nullable Path clientCaFile,
    @Flag(
            name = "requestheader-allowed-names",
            help = "Common names of these certificates. Unset: any.")
        List<String> allowedNames,
    @Flag(name = "requestheader-username-headers", help = "Headers with the user's name.")
        List<String> usernameHeaders,
    @Flag(name = "requestheader-uid-headers", help = "Headers with the user's UID.")
        List<String> uidHeaders,
    @Flag(name = "requestheader-group-headers", help = "Headers with the user's groups.")
        List<String> groupHeaders,
    @Flag(
            name = "requestheader-extra-headers-prefix",
            help = "Beginnings of headers with whatever else is known about the user.")
        List<String> extraHeaderPrefixes) {

  public RequestHeaderOptions {
    allowedNames = List.copyOf(allowedNames);
    usernameHeaders = List.copyOf(usernameHeaders);
    uidHeaders = List.copyOf(uidHeaders);
    groupHeaders = List.copyOf(groupHeaders);
    extraHeaderPrefixes = List.copyOf(extraHeaderPrefixes);
  }

  public static RequestHeaderOptions defaults() {
    return new RequestHeaderOptions(null, List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** Whether a header of that lower-case name states the user. */
  public boolean namesUser(String header) {
    return Stream.of(usernameHeaders, uidHeaders, groupHeaders)
            .flatMap(List::stream)
            .anyMatch(header::equalsIgnoreCase)
        || extraHeaderPrefixes.stream()
            .anyMatch(prefix -> header.regionMatches(true, 0, prefix, 0, prefix.length()));
  }
}
