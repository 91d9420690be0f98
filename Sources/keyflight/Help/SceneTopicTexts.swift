/// Texts of topics about inputs: scenes, and keys with their scripts.
extension HelpTopic {
    static let scenesText = """
        Scenes: a responder tree as a file, NAME.scene.yaml
          scene: 1
          name: close-tab
          profile: ios15
          responders:
            - {id: view, kind: view, next: tabs, canBecomeFirstResponder: true}
            - id: tabs
              kind: viewController
              next: win
              actions: ["closeTab:", "newTab:"]
              keyCommands:
                - {input: w, modifiers: [command], action: "closeTab:", title: Close Tab}
                - {input: t, modifiers: [command], action: "newTab:"}
              canPerform: {"closeTab:": false}
              cost: {keyCommands: 120us, "newTab:": 2ms}
            - {id: win, kind: window, keyWindow: true}
          firstResponder: view
        next is the next responder; subviews and view controllers have it from superview, viewControllers and the like.
        actions are the selectors that a responder performs. canPerform holds answers that differ from that. cost is
        virtual time, so that a replay takes as long on every machine. input is a character, or return tab space escape
        delete up down left right pageUp pageDown home end f1…f12; modifiers are capsLock shift control option command
        numericPad. A key that no scene has is an error with its line and the keys that there are.
        Kinds: responder view viewController navigationController tabBarController splitViewController
        hostingController webView window windowScene application textField textView scrollView tableView collectionView
        datePicker; those that begin with keyboard, such as keyboardTableView, bring commands of their own.
        Besides: mainMenu, parameters (of the profile), layout, direction, and variants, which a script switches.
        device is ipad unless a scene says iphone: an iPad has a focus system from iOS 15 on, which takes bare arrows,
        Tab, ⌃Tab and Return before commands without priority. Views say focusable and focusGroup; Tab goes from group
        to group, arrows go along the items of one in the order of the tree, since a scene has no geometry.
        Try it: keyflight lint S.scene.yaml, keyflight replay T.keys --scene S.scene.yaml

        """

    static let keysText = """
        Keys: names of keys, chords, and scripts of what is pressed, NAME.keys
          keys 1
          press cmd+w              # a chord: modifiers ctrl opt shift cmd, then the key; ⇧⌘W and Cmd-Shift-W as well
          hold down 400ms          # ↓ for so long, with its repeats
          type hello               # text, by the keys that the layout has for it
          insert "日本"             # text without a key, as from the clipboard
          down leftgui             # one event
          wait 100ms               # instead of the 10 ms between two steps
          up leftgui
          do focus search          # something that happens besides
        A name is a position: Y is the key that says Y on a US keyboard; char:w finds the key by the layout. Names are
        those of UIKeyboardHIDUsage without keyboard (A, 1, ReturnOrEnter, LeftArrow, KeypadEnter, LeftGUI), with short
        forms return esc delete tab space left right up down pageup pagedown home end plus minus; case does not matter.
        A # begins a comment at the start of a line or after a blank.

        """
}
