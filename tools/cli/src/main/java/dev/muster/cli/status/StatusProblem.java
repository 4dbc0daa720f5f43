package dev.muster.cli.status;

/**
 * A problem of a fleet.
 *
 * @param code for programs
 * @param subject such as a server's ID; "" for the fleet as a whole
 * @param problem the description, without a full stop
 * @param action the remedy
 */
record StatusProblem(String code, String subject, String problem, String action) {}
