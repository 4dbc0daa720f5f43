package dev.muster.cli.status;

/**
 * One thing that is wrong with a fleet.
 *
 * @param code for programs
 * @param subject what it is about, such as a server's ID; "" for the fleet as a whole
 * @param problem what is wrong, without a full stop
 * @param action what to do
 */
record StatusProblem(String code, String subject, String problem, String action) {}
