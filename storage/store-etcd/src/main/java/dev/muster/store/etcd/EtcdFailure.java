package dev.muster.store.etcd;

import dev.muster.store.StoreException;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A failed call to etcd, and whether it can have taken effect. */
final class EtcdFailure extends RuntimeException {
  /** What a failed call means to the caller. */
  enum Meaning {
    /** It took no effect; another attempt may succeed. */
    NOT_DONE,
    /** It may have taken effect, or may still do so. */
    IN_DOUBT,
    /** It took no effect: the request exceeds etcd's size limit. */
    TOO_LARGE,
    /** It took no effect: the revision is compacted. */
    COMPACTED,
    /** It took no effect: the revision is not reached yet. */
    FUTURE_REVISION,
    /** It took no effect: a lease that it names has expired. */
    LEASE_GONE,
    /** It took no effect: etcd has no space and accepts only deletes. */
    NO_SPACE,
    /** It took no effect: the token is not valid or no longer valid. */
    NOT_AUTHENTICATED,
    /** It took no effect: the etcd user lacks permission, so another attempt fails as well. */
    DENIED
  }

  /** gRPC's description of any broken connection; the actual reason is in the cause. */
  private static final String NO_REASON = "io exception";

  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^[a-zA-Z]+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

  private final Meaning meaning;

  private EtcdFailure(Meaning meaning, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.meaning = meaning;
  }

  /** The failure for a gRPC status. {@code sent} says whether the request left this process. */
  static EtcdFailure of(Status status, boolean sent) {
    var text = Objects.requireNonNullElse(status.getDescription(), "");
    var told =
        status.getCode() == Status.Code.DEADLINE_EXCEEDED
            ? "no answer in time"
            : described(status, text);
    return new EtcdFailure(
        sent ? meaning(status.getCode(), text) : Meaning.NOT_DONE,
        status.getCode() + (told.isEmpty() ? "" : ": " + told),
        status.getCause());
  }

  private static String described(Status status, String text) {
    return text.isEmpty() || text.equals(NO_REASON) ? reason(status.getCause(), text) : text;
  }

  /** The message of the innermost cause, without the system's error number. */
  private static String reason(@Nullable Throwable cause, String otherwise) {
    var told = otherwise;
    for (var each = cause; each != null; each = each.getCause()) {
      var message = each.getMessage();
      if (message != null && !message.isBlank()) {
        told = message.lines().findFirst().orElse(message);
      }
    }
    return SYSTEM_CALL.matcher(told).replaceFirst("");
  }

  /** The failure for the reason of a canceled watch. */
  static EtcdFailure ofCancelledWatch(String reason) {
    return new EtcdFailure(meaning(Status.Code.UNKNOWN, reason), reason, null);
  }

  private static Meaning meaning(Status.Code code, String text) {
    if (text.contains("request is too large")
        || text.contains("too many operations in txn")
        || text.contains("received message larger than max")
        || text.contains("trying to send message larger than max")) {
      return Meaning.TOO_LARGE;
    }
    if (text.contains("required revision has been compacted")) {
      return Meaning.COMPACTED;
    }
    if (text.contains("required revision is a future revision")) {
      return Meaning.FUTURE_REVISION;
    }
    if (text.contains("requested lease not found")) {
      return Meaning.LEASE_GONE;
    }
    if (text.contains("invalid auth token") || text.contains("user name is empty")) {
      return Meaning.NOT_AUTHENTICATED;
    }
    if (text.contains("database space exceeded")) {
      return Meaning.NO_SPACE;
    }
    if (text.contains("too many requests") || text.contains("revision of auth store is old")) {
      return Meaning.NOT_DONE;
    }
    return switch (code) {
      case UNAUTHENTICATED -> Meaning.NOT_AUTHENTICATED;
      case PERMISSION_DENIED, INVALID_ARGUMENT, UNIMPLEMENTED, FAILED_PRECONDITION ->
          text.contains("permission denied") || code != Status.Code.FAILED_PRECONDITION
              ? Meaning.DENIED
              : Meaning.NOT_DONE;
      default -> text.contains("permission denied") ? Meaning.DENIED : Meaning.IN_DOUBT;
    };
  }

  Meaning meaning() {
    return meaning;
  }

  /** Whether a member that is in contact with a leader sent this failure. */
  boolean comesFromEtcd() {
    return switch (meaning) {
      case NOT_DONE, IN_DOUBT -> false;
      case NOT_AUTHENTICATED, TOO_LARGE, COMPACTED, FUTURE_REVISION, LEASE_GONE, NO_SPACE, DENIED ->
          true;
    };
  }

  /** Whether another attempt may succeed. */
  boolean mayPass() {
    return switch (meaning) {
      case NOT_DONE, IN_DOUBT, NOT_AUTHENTICATED -> true;
      case TOO_LARGE, COMPACTED, FUTURE_REVISION, LEASE_GONE, NO_SPACE, DENIED -> false;
    };
  }

  /** Converts any failure of a call. */
  static EtcdFailure of(Throwable failure) {
    return switch (failure) {
      case EtcdFailure known -> known;
      case CompletionException wrapped when wrapped.getCause() instanceof EtcdFailure known ->
          known;
      default -> new EtcdFailure(Meaning.IN_DOUBT, failure.toString(), failure);
    };
  }

  /** Converts this failure for callers of the store. */
  StoreException toStoreException() {
    return switch (meaning) {
      case TOO_LARGE -> new StoreException.TooLarge("etcd: " + getMessage());
      case NO_SPACE -> new StoreException.Full("etcd: " + getMessage(), this);
      case DENIED -> new StoreException.Unusable("etcd refuses: " + getMessage(), this);
      case NOT_DONE, IN_DOUBT, COMPACTED, FUTURE_REVISION, LEASE_GONE, NOT_AUTHENTICATED ->
          new StoreException.Unavailable("etcd: " + getMessage(), this);
    };
  }
}
