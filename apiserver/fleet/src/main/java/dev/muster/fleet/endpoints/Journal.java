package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;

/** Reports the decisions of the reconciler and their reasons. Never throws. */
interface Journal {
  /** A change was made. */
  void wrote(PlannedWrite write);

  /** A change failed. */
  void failed(PlannedWrite write, RuntimeException problem);

  /**
   * Reports information for operators.
   *
   * @param reason one word
   * @param warning whether there is a problem
   */
  void remark(String reason, String message, boolean warning);

  /** This server's record was renewed. */
  void renewed();

  /** The currently published endpoints, and the number of records of each source. */
  void published(PublishedServers published, Membership membership);
}
