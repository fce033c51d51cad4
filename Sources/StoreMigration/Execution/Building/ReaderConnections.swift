import SQLiteAccess

/// Connections with which several threads read a source, one for each thread. They are opened when they are needed.
final class ReaderConnections {
    let count: Int
    private let open: () throws -> Connection
    private var connections: [Connection] = []

    init(_ count: Int, _ open: @escaping () throws -> Connection) {
        self.count = count
        self.open = open
    }

    func opened() throws -> [Connection] {
        while connections.count < count { connections.append(try open()) }
        return connections
    }

    func close() {
        for connection in connections { try? connection.close() }
        connections = []
    }
}
