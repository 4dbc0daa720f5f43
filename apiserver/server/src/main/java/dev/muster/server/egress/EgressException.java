package dev.muster.server.egress;

import java.net.ConnectException;

/** A proxy did not connect to the destination; the message contains its response. */
public final class EgressException extends ConnectException {
  private static final long serialVersionUID = 1L;

  EgressException(String message) {
    super(message);
  }
}
