import CommandLineParsing
import ManagedObjectModels
import ModelLinting
import PersistentStores
import SwiftDataModels

struct FreezeOptions: SourceOptions {
    var versions: [String] = []
    var output: String?
    var isForced = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "version", \.versions, placeholder: "VERSION",
            "Only this version: its name or its path; by default all."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "FILE",
            "The file to write; versions that it does not have yet are added to it; - is standard output."),
        .switch("force", \.isForced, "Replace the hashes of versions that the file has otherwise."),
    ])
}

extension Command {
    static let freeze = Command(
        "freeze", "Keep the version hashes of shipped versions in a text file",
        discussion:
            "Writes the hash of every entity and property of each version, for the app's repository. "
            + "\"ferry lint --frozen FILE\" fails if a version no longer has them, and names the declaration. A version "
            + "that is in the file with other hashes is refused without --force.",
        operands: .atLeast(1, "MODEL..."), options: FreezeOptions.self
    ) { options in
        let found = try ModelVersions.together(options.operands, swiftData: options.sources.selection)
        let all = found.flatMap(\.versions)
        let chosen =
            try options.versions.isEmpty
            ? all
            : options.versions.map { name in
                guard let version = all.named(name).first else {
                    throw ModelError(.unknownVersion(name, known: all.map(\.name)))
                }
                return version
            }
        var frozen = try FrozenVersions(chosen)
        let warnings = try chosen.flatMap { try $0.document().warnings }
        warnings.forEach { Console.note("warning: \($0)\n") }
        let status: ExitStatus = warnings.contains(where: \.isLoss) ? .findings : .done
        guard let output = options.output, output != CommandOutput.standard else {
            Console.print(frozen.text)
            return status
        }
        if FileSystem.exists(output) {
            let former = try FrozenVersions(path: output)
            let changed = former.changed(in: frozen)
            guard changed.isEmpty || options.isForced else {
                Console.note(
                    "ferry: \(output): these versions are frozen with other hashes: \(changed.joined(separator: ", ")); "
                        + "find what changed with \"ferry lint --frozen\", or replace them with --force\n")
                return .failed
            }
            frozen = former.adding(frozen)
        }
        try CommandOutput.write(frozen.text, to: output, isReplacing: true)
        Console.print("Froze \(chosen.map(\.name).joined(separator: ", ")) in \(output)\n")
        return status
    }
}
