/**
 * FlowSchemas and PriorityLevelConfigurations as flow control reads them, and those that must
 * exist.
 */
@NullMarked
package dev.muster.flowcontrol.config;

import org.jspecify.annotations.NullMarked;
