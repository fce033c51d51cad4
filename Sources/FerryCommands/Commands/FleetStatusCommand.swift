import CommandLineParsing
import StoreFleets

struct FleetStatusOptions: OptionTable {
    var progress = ProgressMode.auto
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [.progress(\.progress), .switch("json", \.isJSON, "Print JSON.")]
}

extension Command {
    static let fleetStatus = Command(
        "status", "Show how far a fleet is",
        discussion: "Reads the ledgers, also while shards run. Every store is done, failed or pending.",
        operands: .one("MANIFEST"), options: FleetStatusOptions.self
    ) { options in
        let status = try ProgressWatch.during("reading", options.progress) { _ in
            try FleetReader(FleetManifest(path: options.operands[0])).status()
        }
        Console.print(options.isJSON ? try JSONText.text(status) : status.description)
        return .done
    }
}
