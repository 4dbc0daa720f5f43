package dev.muster.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every test wait long for what must come about, wherever this module is on the class path: a
 * machine that is busy with something else is no fault. Tests that pass do not wait longer for it.
 */
public final class Patience implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.reset();
    Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
  }
}
