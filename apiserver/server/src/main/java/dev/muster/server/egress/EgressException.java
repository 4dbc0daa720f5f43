package dev.muster.server.egress;

import java.net.ConnectException;

/** A proxy did not lead to where it should; the message says what it said instead. */
public final class EgressException extends ConnectException {
  private static final long serialVersionUID = 1L;

  EgressException(String message) {
    super(message);
  }
}
