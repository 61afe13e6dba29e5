// SPDX-License-Identifier: Apache-2.0

/// The version of the daemon, the tool and the client, which are released together.
public let starlightVersion = "0.1.0"
