import Foundation
import ManagedObjectModels
import ManagedObjects
import ObjectSides

/// A process with a context on a store, which tests tell what to do: `object-side STORE MODEL POLICY`.
@main struct ObjectSideProgram {
    static func main() throws {
        let words = CommandLine.arguments
        let model = try ResolvedModel(ModelVersions(path: words[2]).current().model())
        let coordinator = PersistentStoreCoordinator(model: model)
        var options = StoreOptions()
        // Others have the store for as long as a save takes.
        options.timeout = 60_000
        try coordinator.addStore(at: words[1], options: options)
        let context = ManagedObjectContext(coordinator)
        if let policy = MergePolicy.allCases.first(where: { "\($0)" == words[3] }) { context.mergePolicy = policy }
        let side = ContextSide(context)
        while let line = readLine() {
            var answer: String
            do {
                answer = try SideCommand(line: line)?.run(on: side) ?? "error: unknown command"
            } catch {
                answer = "error: \(error)"
            }
            answer.replace("\n", with: " ")
            try FileHandle.standardOutput.write(contentsOf: Data((answer + "\nready\n").utf8))
        }
    }
}
