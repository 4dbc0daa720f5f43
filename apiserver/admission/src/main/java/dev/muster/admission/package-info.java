/**
 * The admission chain: {@link AdmissionPlugin} names the plugins that upstream knows in their
 * order, {@link AdmissionChain} asks them. The plugins themselves stand below, in a package for
 * each thing that they are about: {@code pods}, {@code nodes}, {@code namespaces}, {@code objects},
 * {@code rights}, {@code quota}, {@code podsecurity}, {@code policy}, {@code webhook}, {@code
 * images}.
 */
@NullMarked
package dev.muster.admission;

import org.jspecify.annotations.NullMarked;
