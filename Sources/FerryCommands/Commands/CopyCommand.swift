import CommandLineParsing
import PersistentStores

struct CopyOptions: OptionTable {
    var isReplacing = false
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .switch("replace", \.isReplacing, "Replace an existing store at the destination."),
        .timeout(\.timeout),
        .progress(\.progress),
    ]
}

struct RemoveOptions: OptionTable {
    var timeout = LockWaiting.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .timeout(\.timeout)
    ]
}

extension Command {
    static let copy = Command(
        "copy", "Copy a store as one unit",
        discussion:
            "Copies the main file, the log and external data, as the store is at one moment. The log is folded "
            + "into the copy, which gets its name when it is complete. DEST is a path or a folder. A store that "
            + "another process writes to is refused.",
        operands: OperandRule("STORE DEST", 2, upTo: 2), options: CopyOptions.self
    ) { options in
        try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("copying", options.progress) { watch in
                try StoreUnitRequest.run(
                    options.operands, watch, isReplacing: options.isReplacing, followsLinks: true
                ) {
                    try $0.copy(to: $1)
                }
            }
        }
    }

    static let move = Command(
        "move", "Move a store as one unit",
        discussion:
            "Moves the main file, the log and external data, also to another file system. DEST is a path or a "
            + "folder. A store that another process has open is refused. If the command is killed, the store is "
            + "complete at one of the two places.",
        operands: OperandRule("STORE DEST", 2, upTo: 2), options: CopyOptions.self
    ) { options in
        try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("moving", options.progress) { watch in
                try StoreUnitRequest.run(
                    options.operands, watch, isReplacing: options.isReplacing, followsLinks: false
                ) {
                    try $0.move(to: $1)
                }
            }
        }
    }

    static let remove = Command(
        "remove", "Remove a store as one unit",
        discussion: "Main file, log and external data. A store that another process has open is refused. Symbolic "
            + "links are removed, and what they lead to stays; a link in the store's own place is refused.",
        operands: .one("STORE"), options: RemoveOptions.self
    ) { options in
        try LockWaiting.wait(options.timeout) {
            try StoreUnitRequest.run(options.operands, isReplacing: false, followsLinks: false) { unit, _ in
                try unit.remove()
            }
        }
    }
}
