/** Who a request is from: certificates, tokens, a proxy that says it. */
@NullMarked
package dev.muster.authentication;

import org.jspecify.annotations.NullMarked;
