/** The strategies of {@code storage.k8s.io}, PersistentVolumes and PersistentVolumeClaims. */
@NullMarked
package dev.muster.validation.storage;

import org.jspecify.annotations.NullMarked;
