package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;

/** Tells people what was decided and why. Never throws. */
interface Journal {
  /** A change was made. */
  void wrote(PlannedWrite write);

  /** A change could not be made. */
  void failed(PlannedWrite write, RuntimeException problem);

  /**
   * Something that an operator should know.
   *
   * @param reason one word
   * @param warning whether something is wrong
   */
  void remark(String reason, String message, boolean warning);

  /** The own record was renewed. */
  void renewed();

  /** What is published now, and how many records of each source there are. */
  void published(PublishedServers published, Membership membership);
}
