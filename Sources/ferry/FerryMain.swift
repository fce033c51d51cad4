import FerryCommands
// The linker learns from this import which of Foundation's libraries become a part of the tool.
import FoundationEssentials

@main
enum FerryMain {
    static func main() {
        Ferry.main()
    }
}
