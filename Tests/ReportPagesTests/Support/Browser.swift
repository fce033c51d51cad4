import TestSupport

/// The browser that looks at pages, where one is installed.
enum Browser {
    static let name = ["chromium", "chromium-browser", "google-chrome"].first {
        (try? ToolProcess.run("/usr/bin/env", ["which", $0]).status) == 0
    }
}
