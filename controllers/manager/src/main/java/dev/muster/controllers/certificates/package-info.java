/** CertificateSigningRequests: approval, signing, cleanup. */
@NullMarked
package dev.muster.controllers.certificates;

import org.jspecify.annotations.NullMarked;
