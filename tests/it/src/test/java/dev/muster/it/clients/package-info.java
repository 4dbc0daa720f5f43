/** What users do with Java clients, with what new versions of kubectl do too. */
@NullMarked
package dev.muster.it.clients;

import org.jspecify.annotations.NullMarked;
