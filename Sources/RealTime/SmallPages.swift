// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// Has the kernel leave the pages of this process where they are, instead of gathering them into huge ones.
///
/// It takes pages away for the time of copying them, locked ones too, and its least urgent thread does so (`khugepaged`): who
/// touches one meanwhile waits for that thread, however urgent.
public func keepPagesSmall() { rt_keep_pages_small() }
