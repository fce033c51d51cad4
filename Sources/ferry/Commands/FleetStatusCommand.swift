import CommandLineParsing
import StoreFleets

struct FleetStatusOptions: OptionTable {
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [.switch("json", \.isJSON, "Print JSON.")]
}

extension Command {
    static let fleetStatus = Command(
        "status", "Show how far a fleet is",
        discussion: "Reads the ledgers, also while shards run. Every store is done, failed or pending.",
        operands: .one("MANIFEST"), options: FleetStatusOptions.self
    ) { options in
        let status = try FleetReader(FleetManifest(path: options.operands[0])).status()
        Console.print(options.isJSON ? try JSONText.text(status) : status.description)
        return .done
    }
}
